//! Random expressions over the columns that a clause can see.

use super::generate::value;
use crate::naive::{Column, Comparison, Expr, Side, Type, Value};
use crate::random::Random;

/// The columns in sight.
#[derive(Debug, Clone)]
pub struct Scope {
    columns: Vec<(Side, usize, Type)>,
}

/// Types whose values compare and combine with each other.
fn is_kin(left: Type, right: Type) -> bool {
    let whole = |data_type| matches!(data_type, Type::Int | Type::Long);
    left == right || (whole(left) && whole(right))
}

impl Scope {
    pub fn new(target: &[Column], source: Option<&[Column]>, with_target: bool) -> Self {
        let of = |side, columns: &[Column]| {
            columns.iter().enumerate().map(|(idx, column)| (side, idx, column.data_type)).collect::<Vec<_>>()
        };
        let mut columns = if with_target { of(Side::Target, target) } else { Vec::new() };
        columns.extend(source.map(|source| of(Side::Source, source)).unwrap_or_default());
        Self { columns }
    }

    /// A condition; `depth` bounds how far AND, OR and NOT nest.
    pub fn condition(&self, random: &mut Random, depth: usize) -> Expr {
        let sub = |random: &mut Random| Box::new(self.condition(random, depth.saturating_sub(1)));
        if depth > 0 {
            match random.weighted(&[20, 12, 8, 60]) {
                0 => return Expr::And(sub(random), sub(random)),
                1 => return Expr::Or(sub(random), sub(random)),
                2 => return Expr::Not(sub(random)),
                _ => {}
            }
        }
        let (side, idx, data_type) = self.columns[random.below(self.columns.len())];
        let column = Expr::Column(side, idx);
        match random.weighted(&[58, 14, 10, 8, 5, 5]) {
            0 => {
                let comparison = comparison(random, data_type);
                let other = self.value(random, data_type, 1);
                Expr::Compare(comparison, Box::new(column), Box::new(other))
            }
            1 => Expr::IsNull(Box::new(column)),
            2 => Expr::Not(Box::new(Expr::IsNull(Box::new(column)))),
            3 => {
                let n_items = 1 + random.below(3);
                let items = (0..n_items).map(|_| literal(random, data_type)).collect();
                Expr::In(Box::new(column), items)
            }
            4 if data_type != Type::Bool => {
                let (low, high) = (literal(random, data_type), literal(random, data_type));
                Expr::Between(Box::new(column), Box::new(low), Box::new(high))
            }
            _ if data_type == Type::Bool => column,
            _ => Expr::Literal(Value::Bool(random.chance(70)), Type::Bool),
        }
    }

    /// A value of the type.
    pub fn value(&self, random: &mut Random, data_type: Type, depth: usize) -> Expr {
        let columns: Vec<Expr> = self
            .columns
            .iter()
            .filter(|(_, _, other)| is_kin(*other, data_type) && (data_type != Type::Int || *other == Type::Int))
            .map(|(side, idx, _)| Expr::Column(*side, *idx))
            .collect();
        let sub = |random: &mut Random| self.value(random, data_type, depth.saturating_sub(1));
        if depth > 0 && random.chance(30) {
            match random.below(4) {
                0 => return Expr::Coalesce(vec![sub(random), sub(random)]),
                1 if matches!(data_type, Type::Int | Type::Long) => {
                    return Expr::Add(Box::new(sub(random)), Box::new(sub(random)));
                }
                2 if data_type == Type::Text => return Expr::Concat(Box::new(sub(random)), Box::new(sub(random))),
                3 => {
                    let condition = self.condition(random, 1);
                    return Expr::Case(Box::new(condition), Box::new(sub(random)), Box::new(sub(random)));
                }
                _ => {}
            }
        }
        if !columns.is_empty() && random.chance(75) {
            return columns[random.below(columns.len())].clone();
        }
        literal(random, data_type)
    }
}

fn comparison(random: &mut Random, data_type: Type) -> Comparison {
    use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual, NullSafeEqual};
    let all = [&Equal, &NotEqual, &NullSafeEqual, &Less, &LessOrEqual, &Greater, &GreaterOrEqual];
    if data_type == Type::Bool { *random.pick(&all[..3]) } else { *random.pick(&all) }
}

fn literal(random: &mut Random, data_type: Type) -> Expr {
    let value = if random.chance(4) { Value::Null } else { value(random, data_type) };
    Expr::Literal(value, data_type)
}
