//! Functions of numbers for the module `math`.

use rustpython_vm as vm;
use vm::builtins::PyList;
use vm::{PyObjectRef, PyResult, TryFromObject, VirtualMachine};

/// `_native(name, numbers)`
pub(crate) fn call(name: PyObjectRef, numbers: PyObjectRef, vm: &VirtualMachine) -> PyResult<f64> {
    let name = name.str(vm)?.to_string_lossy().into_owned();
    let items: Vec<PyObjectRef> =
        numbers.downcast_ref::<PyList>().map(|list| list.borrow_vec().to_vec()).unwrap_or_default();
    let numbers = items.into_iter().map(|item| f64::try_from_object(vm, item)).collect::<PyResult<Vec<f64>>>()?;
    let result = match (name.as_str(), numbers.as_slice()) {
        ("exp", [x]) => x.exp(),
        ("ln", [x]) => x.ln(),
        ("log2", [x]) => x.log2(),
        ("log10", [x]) => x.log10(),
        ("log1p", [x]) => x.ln_1p(),
        ("expm1", [x]) => x.exp_m1(),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("sinh", [x]) => x.sinh(),
        ("cosh", [x]) => x.cosh(),
        ("tanh", [x]) => x.tanh(),
        ("cbrt", [x]) => x.cbrt(),
        ("degrees", [x]) => x.to_degrees(),
        ("radians", [x]) => x.to_radians(),
        ("atan2", [y, x]) => y.atan2(*x),
        ("hypot", [x, y]) => x.hypot(*y),
        ("fmod", [x, y]) => x % y,
        ("copysign", [x, y]) => x.copysign(*y),
        _ => return Err(vm.new_type_error(format!("math has no {name}() of {} numbers here", numbers.len()))),
    };
    Ok(result)
}
