//! Guessed types.

/// What a column seems to hold. Where several are seen, the later one of this list wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Text,
    Boolean,
    Whole,
    Decimal,
    Double,
    Date,
    Timestamp,
}

impl Kind {
    /// The type in DDL.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Text => "STRING",
            Kind::Boolean => "BOOLEAN",
            Kind::Whole => "INT",
            Kind::Decimal => "DECIMAL(12,2)",
            Kind::Double => "DOUBLE",
            Kind::Date => "DATE",
            Kind::Timestamp => "TIMESTAMP",
        }
    }

    /// What a text constant is: people write dates as texts.
    pub(crate) fn of_text(text: &str) -> Kind {
        let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
        if shape == "9999-99-99" {
            Kind::Date
        } else if shape.starts_with("9999-99-99 99:99") || shape.starts_with("9999-99-99T99:99") {
            Kind::Timestamp
        } else {
            Kind::Text
        }
    }

    /// The guess of last resort.
    pub(crate) fn of_column_name(name: &str) -> Option<Kind> {
        let words: Vec<&str> = name.split('_').collect();
        let last = words.last().copied().unwrap_or("");
        let first = words.first().copied().unwrap_or("");
        if matches!(last, "at" | "ts" | "time" | "timestamp" | "datetime") || name.ends_with("timestamp") {
            return Some(Kind::Timestamp);
        }
        if matches!(last, "date" | "day" | "dt") || matches!(name, "valid_from" | "valid_to") {
            return Some(Kind::Date);
        }
        if matches!(first, "is" | "has") || matches!(last, "flag" | "active" | "current") {
            return Some(Kind::Boolean);
        }
        if matches!(last, "amount" | "price" | "total" | "cost" | "balance" | "revenue" | "salary") {
            return Some(Kind::Decimal);
        }
        let is_whole = matches!(
            last,
            "id" | "sk" | "qty" | "quantity" | "count" | "num" | "seq" | "lsn" | "version" | "age" | "year" | "month"
        );
        is_whole.then_some(Kind::Whole)
    }

    /// What a function gives back, where that is known.
    pub(crate) fn of_result(function: &str) -> Option<Kind> {
        match function {
            "current_date" | "curdate" | "to_date" | "date_add" | "date_sub" | "add_months" | "last_day" | "trunc" => {
                Some(Kind::Date)
            }
            "current_timestamp" | "now" | "to_timestamp" | "date_trunc" | "timestampadd" => Some(Kind::Timestamp),
            "upper" | "lower" | "trim" | "concat" | "concat_ws" | "substring" | "substr" | "md5" | "sha2" | "sha1"
            | "date_format" | "replace" | "regexp_replace" | "btrim" | "ltrim" | "rtrim" | "sha" => Some(Kind::Text),
            "row_number" | "rank" | "dense_rank" | "count" | "length" | "datediff" | "year" | "month" | "day"
            | "hash" | "xxhash64" | "date_part" => Some(Kind::Whole),
            _ => None,
        }
    }

    /// What a function wants, where that is known.
    pub(crate) fn of_argument(function: &str, idx: usize) -> Option<Kind> {
        match (function, idx) {
            ("upper" | "lower" | "trim" | "length" | "btrim" | "ltrim" | "rtrim" | "initcap", _) => Some(Kind::Text),
            ("substring" | "substr" | "regexp_replace" | "replace" | "split" | "to_date" | "to_timestamp", 0) => {
                Some(Kind::Text)
            }
            ("year" | "month" | "day" | "date_add" | "date_sub" | "add_months" | "last_day" | "trunc", 0)
            | ("datediff", _) => Some(Kind::Date),
            ("date_trunc" | "date_part", 1) | ("hour" | "minute" | "second", 0) => Some(Kind::Timestamp),
            ("date_format", 0) => Some(Kind::Date),
            ("sum" | "avg" | "mean" | "round" | "abs" | "floor" | "ceil", 0) => Some(Kind::Decimal),
            _ => None,
        }
    }

    /// Functions whose arguments and result are of one type.
    pub(crate) fn is_choice(function: &str) -> bool {
        matches!(
            function,
            "coalesce"
                | "nvl"
                | "ifnull"
                | "nullif"
                | "greatest"
                | "least"
                | "max"
                | "min"
                | "first"
                | "last"
                | "first_value"
                | "last_value"
                | "any_value"
                | "lag"
                | "lead"
                | "max_by"
                | "min_by"
        )
    }
}
