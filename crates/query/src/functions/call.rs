//! A call while it is bound: argument counts, implicit casts, the result.

use super::udf::{self, Args, Gives};
use crate::cast::{self, Mode};
use crate::error::Complaint;
use crate::ops::{can_up_cast, common_type, wrong_input};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::array::ArrayRef;
use datafusion::common::{Result as DfResult, ScalarValue};
use datafusion::logical_expr::Expr;
use delta::schema::DataType;

pub(super) type Bound = Result<Typed, Complaint>;

/// A function name in lower case and its arguments.
pub(super) struct Call<'a> {
    pub(super) session: &'a Session,
    pub(super) name: &'a str,
    pub(super) args: Vec<Typed>,
}

impl Call<'_> {
    /// Checks the number of arguments.
    pub(super) fn arity(self, low: usize, high: usize) -> Result<Self, Complaint> {
        let found = self.args.len();
        if (low..=high).contains(&found) {
            return Ok(self);
        }
        let wanted = match (low, high) {
            _ if low == high => format!("{low}"),
            (_, usize::MAX) => format!("at least {low}"),
            _ => format!("{low} to {high}"),
        };
        let plural = if wanted == "1" { "" } else { "s" };
        let message = format!("`{}` takes {wanted} argument{plural}, but {found} are given.", self.name);
        Err(Complaint::new("WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "42605", message))
    }

    /// Casts an argument, where it is given, as Spark does implicitly.
    pub(super) fn implicit(mut self, idx: usize, to: impl Into<SqlType>) -> Result<Self, Complaint> {
        let to = to.into();
        let Some(slot) = self.args.get_mut(idx) else { return Ok(self) };
        if !casts_implicitly(&slot.data_type, &to) {
            return Err(wrong_input(self.name, idx + 1, &to.spark_name(), &slot.data_type));
        }
        let value = slot.clone();
        *slot = cast::cast(self.session, value, &to, Mode::Ansi)?;
        Ok(self)
    }

    pub(super) fn text(self, idx: usize) -> Result<Self, Complaint> {
        self.implicit(idx, DataType::String)
    }

    pub(super) fn int(self, idx: usize) -> Result<Self, Complaint> {
        self.implicit(idx, DataType::Int)
    }

    pub(super) fn double(self, idx: usize) -> Result<Self, Complaint> {
        self.implicit(idx, DataType::Double)
    }

    /// Text, unless the argument is binary already.
    pub(super) fn text_or_binary(self, idx: usize) -> Result<Self, Complaint> {
        match self.args.get(idx) {
            Some(arg) if arg.data_type.is(&DataType::Binary) => Ok(self),
            _ => self.text(idx),
        }
    }

    /// Casts all arguments from `from` on to their common type, and returns it.
    pub(super) fn common(mut self, from: usize) -> Result<(Self, SqlType), Complaint> {
        let types: Vec<SqlType> = self.args.iter().skip(from).map(|arg| arg.data_type.clone()).collect();
        let Some(common) = common_type(&types) else {
            let names: Vec<String> = types.iter().map(SqlType::spark_name).collect();
            let message =
                format!("The arguments of `{}` have types that do not go together: {}.", self.name, names.join(", "));
            return Err(Complaint::new("DATATYPE_MISMATCH.DATA_DIFF_TYPES", "42K09", message));
        };
        for slot in self.args.iter_mut().skip(from) {
            let value = slot.clone();
            *slot = cast::cast(self.session, value, &common, Mode::Ansi)?;
        }
        Ok((self, common))
    }

    /// The type of an argument.
    pub(super) fn type_of(&self, idx: usize) -> SqlType {
        self.args.get(idx).map_or(SqlType::Column(DataType::Void), |arg| arg.data_type.clone())
    }

    /// Refuses an argument.
    pub(super) fn wrong<T>(&self, idx: usize, wanted: &str) -> Result<T, Complaint> {
        Err(wrong_input(self.name, idx + 1, wanted, &self.type_of(idx)))
    }

    /// An INT constant; `default` where the argument is absent.
    pub(super) fn constant_int(&self, idx: usize, default: i32) -> Result<i32, Complaint> {
        match self.args.get(idx).map(Typed::as_literal) {
            None => Ok(default),
            Some(Some(ScalarValue::Int32(Some(value)))) => Ok(*value),
            Some(Some(ScalarValue::Int16(Some(value)))) => Ok(i32::from(*value)),
            Some(Some(ScalarValue::Int8(Some(value)))) => Ok(i32::from(*value)),
            Some(_) => {
                let message = format!("Argument {} of `{}` must be an INT constant.", idx + 1, self.name);
                Err(Complaint::new("DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", "42K09", message))
            }
        }
    }

    /// A text constant, where the argument is one.
    pub(super) fn constant_text(&self, idx: usize) -> Option<String> {
        match self.args.get(idx)?.as_literal()? {
            ScalarValue::Utf8(Some(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// The call, NULL only where an argument is.
    pub(super) fn gives(
        self,
        to: impl Into<SqlType>,
        kernel: impl Fn(&Args) -> DfResult<ArrayRef> + Send + Sync + 'static,
    ) -> Bound {
        let nullable = self.args.iter().any(|arg| arg.nullable);
        self.build(to.into(), nullable, String::new(), kernel)
    }

    /// The call, with an explicit answer to whether NULL is possible.
    pub(super) fn gives_nullable(
        self,
        to: impl Into<SqlType>,
        nullable: bool,
        kernel: impl Fn(&Args) -> DfResult<ArrayRef> + Send + Sync + 'static,
    ) -> Bound {
        self.build(to.into(), nullable, String::new(), kernel)
    }

    /// The call of a kernel that captured `key`.
    pub(super) fn gives_with(
        self,
        to: impl Into<SqlType>,
        nullable: bool,
        key: impl Into<String>,
        kernel: impl Fn(&Args) -> DfResult<ArrayRef> + Send + Sync + 'static,
    ) -> Bound {
        self.build(to.into(), nullable, key.into(), kernel)
    }

    fn build(
        self,
        to: SqlType,
        nullable: bool,
        key: String,
        kernel: impl Fn(&Args) -> DfResult<ArrayRef> + Send + Sync + 'static,
    ) -> Bound {
        let gives = Gives { data_type: to.arrow(), nullable };
        let args: Vec<Expr> = self.args.into_iter().map(|arg| arg.expr).collect();
        Ok(Typed::new(udf::call(self.name, key, gives, args, kernel), to, nullable))
    }

    /// Takes the arguments out, as many as the caller has checked to be there.
    pub(super) fn take<const N: usize>(self) -> Result<[Typed; N], Complaint> {
        let name = self.name;
        self.args.try_into().map_err(|_| Complaint::internal(format!("the arguments of {name} were not counted")))
    }
}

/// The casts that Spark adds to function arguments in ANSI mode.
pub(super) fn casts_implicitly(from: &SqlType, to: &SqlType) -> bool {
    use DataType as T;
    if from == to || from.is_void() || can_up_cast(from, to) {
        return true;
    }
    let (Some(from), Some(target)) = (from.column(), to.column()) else { return false };
    match (from, target) {
        (T::String, T::Boolean | T::Date | T::Timestamp | T::TimestampNtz | T::Binary) => true,
        (T::String, _) => to.is_numeric(),
        (T::Decimal { .. }, T::Float | T::Double) => true,
        (T::Timestamp | T::TimestampNtz, T::Date) => true,
        (T::Array { element: from, .. }, T::Array { element: to, .. }) => {
            casts_implicitly(&from.as_ref().clone().into(), &to.as_ref().clone().into())
        }
        _ => false,
    }
}
