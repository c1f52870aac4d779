//! The door between a program and the engine, and the values that go through it.

use rustpython_vm as vm;
use serde_json::{Map, Number, Value};
use vm::builtins::{PyDict, PyList, PyStr, PyTuple};
use vm::{AsObject, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

/// What a program needs of its surroundings.
pub trait Door {
    /// Answers a request of the modules in `lib/`.
    fn call(&self, request: Value) -> Value;

    /// Takes what the program prints.
    fn print(&self, text: &str);
}

/// A value of Python as a plain one.
///
/// # Errors
/// `TypeError` for what no plain value is.
pub(crate) fn to_json(value: &PyObjectRef, vm: &VirtualMachine) -> PyResult<Value> {
    if vm.is_none(value) {
        return Ok(Value::Null);
    }
    if let Some(text) = value.downcast_ref::<PyStr>() {
        return Ok(Value::String(text.to_string_lossy().into_owned()));
    }
    if value.class().is(vm.ctx.types.bool_type) {
        return Ok(Value::Bool(bool::try_from_object(vm, value.clone())?));
    }
    if value.class().is(vm.ctx.types.float_type) {
        let number = f64::try_from_object(vm, value.clone())?;
        return Ok(Number::from_f64(number).map_or(Value::Null, Value::Number));
    }
    if let Ok(number) = i64::try_from_object(vm, value.clone()) {
        return Ok(Value::from(number));
    }
    if let Some(list) = value.downcast_ref::<PyList>() {
        let items: Vec<PyObjectRef> = list.borrow_vec().to_vec();
        return Ok(Value::Array(items.iter().map(|item| to_json(item, vm)).collect::<PyResult<_>>()?));
    }
    if let Some(tuple) = value.downcast_ref::<PyTuple>() {
        return Ok(Value::Array(tuple.as_slice().iter().map(|item| to_json(item, vm)).collect::<PyResult<_>>()?));
    }
    if let Some(dict) = value.downcast_ref::<PyDict>() {
        let mut object = Map::new();
        for (name, value) in dict {
            object.insert(name.str(vm)?.to_string_lossy().into_owned(), to_json(&value, vm)?);
        }
        return Ok(Value::Object(object));
    }
    Err(vm.new_type_error(format!("the engine takes no {}", value.class().name())))
}

/// A plain value as one of Python.
pub(crate) fn from_json(value: &Value, vm: &VirtualMachine) -> PyObjectRef {
    match value {
        Value::Null => vm.ctx.none(),
        Value::Bool(value) => vm.ctx.new_bool(*value).into(),
        Value::Number(number) => match number.as_i64() {
            Some(number) => vm.ctx.new_int(number).into(),
            None => vm.ctx.new_float(number.as_f64().unwrap_or(f64::NAN)).into(),
        },
        Value::String(text) => vm.ctx.new_str(text.as_str()).into(),
        Value::Array(items) => vm.ctx.new_list(items.iter().map(|item| from_json(item, vm)).collect()).into(),
        Value::Object(members) => {
            let dict = vm.ctx.new_dict();
            for (name, value) in members {
                // A new dict takes any text as a key.
                let _ = dict.set_item(name.as_str(), from_json(value, vm), vm);
            }
            dict.into()
        }
    }
}
