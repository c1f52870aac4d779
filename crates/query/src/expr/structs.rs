//! Structs taken apart and put together again: the right side of `SET a.b = x`, and of `UPDATE SET *`.

use super::column::nested;
use super::{Bound, at};
use crate::cast::{self, AssignKind, structure};
use crate::functions::udf::{self, Gives};
use crate::session::Session;
use crate::typed::{SqlType, Typed};
use arrow::datatypes::DataType as ArrowType;
use delta::schema::{DataType, StructType};
use spec::{Diagnostic, Ident, Span};

impl Bound {
    /// The field of that name; NULL where the struct is.
    ///
    /// # Errors
    /// `FIELD_NOT_FOUND`, or something that has no fields.
    pub fn field(&self, name: &str, span: Span) -> Result<Bound, Diagnostic> {
        let typed = nested(self.typed().clone(), &[Ident::new(name, span)])?;
        Ok(self.with_expr(typed))
    }

    /// A struct of these fields, one value per field of `fields` and each of its type; never NULL itself. It stands in
    /// the scope of `self`.
    ///
    /// # Errors
    /// As many values as fields are needed.
    pub fn structure(&self, fields: &StructType, values: &[Bound]) -> Result<Bound, Diagnostic> {
        let data_type = SqlType::from(DataType::Struct(fields.clone()));
        let fits = |(value, field): (&Bound, &delta::schema::StructField)| value.data_type() == field.data_type;
        if values.len() != fields.fields.len() || !values.iter().zip(&fields.fields).all(fits) {
            return Err(Diagnostic::internal("the values of a struct do not fit its fields"));
        }
        let ArrowType::Struct(arrow) = data_type.arrow() else { return Err(Diagnostic::internal("a struct is none")) };
        let args: Vec<_> = values.iter().map(|value| value.typed().expr.clone()).collect();
        let gives = Gives { data_type: data_type.arrow(), nullable: false };
        let key = data_type.spark_name();
        let expr = udf::call("struct_of", key, gives, args, move |args| {
            let columns = (0..args.len()).map(|idx| args.array(idx)).collect::<datafusion::common::Result<_>>()?;
            structure(&arrow, columns, None, args.rows())
        });
        Ok(self.with_expr(Typed::new(expr, data_type, false)))
    }

    /// The value as a column of type `to` takes it, where struct fields that only the column has keep what they have in
    /// `old`, its present value.
    ///
    /// # Errors
    /// As [`Bound::assign`].
    pub fn assign_over(
        self,
        session: &Session,
        old: &Bound,
        to: &DataType,
        kind: AssignKind,
    ) -> Result<Bound, Diagnostic> {
        let typed = at(cast::assign_over(session, self.typed().clone(), old.typed().clone(), to, kind), self.span())?;
        Ok(self.with_expr(typed))
    }
}
