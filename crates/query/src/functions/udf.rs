//! One DataFusion UDF for every function of ours: a vectorised kernel with a type fixed when the call is bound.
//!
//! Two calls are equal for the optimiser when name, key, type and arguments are; whatever a kernel
//! captures besides its arguments must therefore be spelled in `key`.

use crate::error::Complaint;
use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BinaryArray, BooleanArray, PrimitiveArray, StringArray,
};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The conditions of arithmetic errors, in the sense of Spark's `SparkArithmeticException`.
const ARITHMETIC: [&str; 5] =
    ["ARITHMETIC_OVERFLOW", "CAST_OVERFLOW", "DIVIDE_BY_ZERO", "NUMERIC_VALUE_OUT_OF_RANGE", "INTERVAL_"];

/// Our functions that fail on some values of their types.
const FALLIBLE: [&str; 40] = [
    "cast",
    "+",
    "-",
    "*",
    "/",
    "%",
    "div",
    "pmod",
    "negative",
    "abs",
    "round",
    "bround",
    "ceil",
    "floor",
    "assert_true",
    "raise_error",
    "element_at",
    "element",
    "to_date",
    "to_timestamp",
    "make_date",
    "make_timestamp",
    "sequence",
    "next_day",
    "sum_of",
    "add_months",
    "date_add",
    "date_sub",
    "dateadd",
    "map",
    "map_from_arrays",
    "regexp_extract",
    "rlike",
    "slice",
    "split_part",
    "timestamp_micros",
    "timestamp_millis",
    "timestampadd",
    "unbase64",
    "to_timestamp_ntz",
];

type Kernel = dyn Fn(&Args) -> Result<ArrayRef> + Send + Sync;

struct Function {
    name: String,
    key: String,
    result: DataType,
    nullable: bool,
    signature: Signature,
    kernel: Arc<Kernel>,
    /// Reported instead of any arithmetic error of the kernel.
    mask: Option<Complaint>,
}

/// What a call gives: its arrow type and whether NULL is possible.
#[derive(Debug, Clone)]
pub(crate) struct Gives {
    pub(crate) data_type: DataType,
    pub(crate) nullable: bool,
}

/// A call of `kernel` with these arguments. `key` names all that the kernel captured.
pub(crate) fn call(
    name: &str,
    key: impl Into<String>,
    gives: Gives,
    args: Vec<Expr>,
    kernel: impl Fn(&Args) -> Result<ArrayRef> + Send + Sync + 'static,
) -> Expr {
    build(name, key.into(), gives, args, Volatility::Immutable, Arc::new(kernel))
}

/// What the kernel of a call captured, where the expression is a call of ours.
pub(crate) fn key(expr: &Expr) -> Option<&str> {
    let Expr::ScalarFunction(call) = expr else { return None };
    Some(&call.func.inner().downcast_ref::<Function>()?.key)
}

/// The same for a kernel that gives another value on every row (`rand`, `uuid`).
pub(crate) fn volatile(
    name: &str,
    key: impl Into<String>,
    gives: Gives,
    args: Vec<Expr>,
    kernel: impl Fn(&Args) -> Result<ArrayRef> + Send + Sync + 'static,
) -> Expr {
    build(name, key.into(), gives, args, Volatility::Volatile, Arc::new(kernel))
}

fn build(name: &str, key: String, gives: Gives, args: Vec<Expr>, volatility: Volatility, kernel: Arc<Kernel>) -> Expr {
    let signature = match args.len() {
        0 => Signature::nullary(volatility),
        n => Signature::any(n, volatility),
    };
    let Gives { data_type, nullable } = gives;
    let function = Function { name: name.to_owned(), key, result: data_type, nullable, signature, kernel, mask: None };
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(ScalarUDF::new_from_impl(function)), args))
}

/// The expression with `complaint` in place of every arithmetic error below it: Delta's overflow guard catches
/// whatever goes wrong under it, a division by zero too.
pub(crate) fn replacing_arithmetic_errors(expr: Expr, complaint: &Complaint) -> Expr {
    let replace = |expr: Expr| -> Result<Transformed<Expr>> {
        let Expr::ScalarFunction(call) = &expr else { return Ok(Transformed::no(expr)) };
        let Some(function) = call.func.inner().downcast_ref::<Function>() else { return Ok(Transformed::no(expr)) };
        let masked = Function {
            name: function.name.clone(),
            key: function.key.clone(),
            result: function.result.clone(),
            nullable: function.nullable,
            signature: function.signature.clone(),
            kernel: Arc::clone(&function.kernel),
            mask: Some(complaint.clone()),
        };
        let udf = Arc::new(ScalarUDF::new_from_impl(masked));
        Ok(Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(udf, call.args.clone()))))
    };
    match expr.clone().transform(replace) {
        Ok(transformed) => transformed.data,
        Err(_) => expr,
    }
}

/// Whether a function of ours that may fail on some values is called anywhere inside.
pub(crate) fn may_fail(expr: &Expr) -> bool {
    expr.exists(|inner| {
        let Expr::ScalarFunction(call) = inner else { return Ok(false) };
        let function = call.func.inner().downcast_ref::<Function>();
        Ok(function.is_some_and(|function| FALLIBLE.contains(&function.name.as_str())))
    })
    .unwrap_or(true)
}

impl Function {
    fn masked(&self, error: DataFusionError) -> DataFusionError {
        let Some(mask) = &self.mask else { return error };
        let arithmetic = match &error {
            DataFusionError::External(inner) => inner
                .downcast_ref::<Complaint>()
                .is_some_and(|complaint| ARITHMETIC.iter().any(|name| complaint.condition.starts_with(name))),
            _ => false,
        };
        if arithmetic { mask.clone().into() } else { error }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.name, self.key)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.key == other.key
            && self.result == other.result
            && self.nullable == other.nullable
            && self.signature == other.signature
            && self.mask == other.mask
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.key.hash(state);
        self.result.hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(self.result.clone())
    }

    fn return_field_from_args(&self, _args: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(&self.name, self.result.clone(), self.nullable)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let all_scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let fold = all_scalar && self.signature.volatility != Volatility::Volatile;
        let rows = if fold { 1 } else { args.number_rows };
        let result = (self.kernel)(&Args::new(&args.args, rows)?).map_err(|error| self.masked(error))?;
        if fold {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?));
        }
        Ok(ColumnarValue::Array(result))
    }
}

/// The arguments of one invocation; constants stay one value long.
pub(crate) struct Args {
    columns: Vec<(ArrayRef, bool)>,
    rows: usize,
}

impl Args {
    fn new(values: &[ColumnarValue], rows: usize) -> Result<Self> {
        let mut columns = Vec::with_capacity(values.len());
        for value in values {
            let (array, constant) = match value {
                ColumnarValue::Array(array) => (Arc::clone(array), false),
                ColumnarValue::Scalar(scalar) => (scalar.to_array()?, true),
            };
            columns.push((plain(array)?, constant));
        }
        Ok(Self { columns, rows })
    }

    /// How many rows the result must have.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// How many arguments there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The argument with one value per row.
    pub(crate) fn array(&self, idx: usize) -> Result<ArrayRef> {
        let (array, constant) = self.column(idx)?;
        if !constant || self.rows == 1 {
            return Ok(Arc::clone(array));
        }
        ScalarValue::try_from_array(array, 0)?.to_array_of_size(self.rows)
    }

    /// A text argument.
    pub(crate) fn str(&self, idx: usize) -> Result<View<'_, StringArray>> {
        self.view(idx, |array| array.as_string_opt::<i32>())
    }

    /// A binary argument.
    pub(crate) fn binary(&self, idx: usize) -> Result<View<'_, BinaryArray>> {
        self.view(idx, |array| array.as_binary_opt::<i32>())
    }

    /// A boolean argument.
    pub(crate) fn boolean(&self, idx: usize) -> Result<View<'_, BooleanArray>> {
        self.view(idx, |array| array.as_boolean_opt())
    }

    /// An argument of fixed width.
    pub(crate) fn primitive<T: ArrowPrimitiveType>(&self, idx: usize) -> Result<View<'_, PrimitiveArray<T>>> {
        self.view(idx, |array| array.as_primitive_opt::<T>())
    }

    /// An argument seen through its concrete array type.
    pub(crate) fn view<'a, A: ?Sized>(
        &'a self,
        idx: usize,
        downcast: impl Fn(&'a dyn Array) -> Option<&'a A>,
    ) -> Result<View<'a, A>> {
        let (array, constant) = self.column(idx)?;
        let inner = downcast(array.as_ref()).ok_or_else(|| {
            DataFusionError::Internal(format!("argument {idx} has the unexpected type {}", array.data_type()))
        })?;
        Ok(View { array: inner, constant })
    }

    fn column(&self, idx: usize) -> Result<(&ArrayRef, bool)> {
        let column = self.columns.get(idx);
        let (array, constant) =
            column.ok_or_else(|| DataFusionError::Internal(format!("argument {idx} is missing")))?;
        Ok((array, *constant))
    }
}

/// DataFusion's own functions may hand over string views; our kernels see one layout only.
fn plain(array: ArrayRef) -> Result<ArrayRef> {
    let to = match array.data_type() {
        DataType::Utf8View | DataType::LargeUtf8 => DataType::Utf8,
        DataType::BinaryView | DataType::LargeBinary => DataType::Binary,
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        _ => return Ok(array),
    };
    Ok(arrow::compute::cast(&array, &to)?)
}

/// Row access to one argument, constant or not.
pub(crate) struct View<'a, A: ?Sized> {
    array: &'a A,
    constant: bool,
}

impl<A: ?Sized> View<'_, A> {
    /// The position in [`View::array`] that holds the value of `row`.
    pub(crate) fn at(&self, row: usize) -> usize {
        if self.constant { 0 } else { row }
    }
}

impl<'a, A: ?Sized> View<'a, A> {
    /// The array behind the view; one value long for a constant.
    pub(crate) fn inner(&self) -> &'a A {
        self.array
    }
}

impl<'a> View<'a, StringArray> {
    /// The value of a row, `None` for NULL.
    pub(crate) fn get(&self, row: usize) -> Option<&'a str> {
        let at = self.at(row);
        self.array.is_valid(at).then(|| self.array.value(at))
    }
}

impl<'a> View<'a, BinaryArray> {
    /// The value of a row, `None` for NULL.
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        let at = self.at(row);
        self.array.is_valid(at).then(|| self.array.value(at))
    }
}

impl View<'_, BooleanArray> {
    /// The value of a row, `None` for NULL.
    pub(crate) fn get(&self, row: usize) -> Option<bool> {
        let at = self.at(row);
        self.array.is_valid(at).then(|| self.array.value(at))
    }
}

impl<T: ArrowPrimitiveType> View<'_, PrimitiveArray<T>> {
    /// The value of a row, `None` for NULL.
    pub(crate) fn get(&self, row: usize) -> Option<T::Native> {
        let at = self.at(row);
        self.array.is_valid(at).then(|| self.array.value(at))
    }
}
