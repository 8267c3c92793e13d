use crate::store_error::StoreError;

/// A value bound to a statement. NULL keeps its type, because PostgreSQL needs to know it.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// TEXT: also ids, JSON and enum names.
    Text(Option<String>),
    /// BIGINT: also milliseconds.
    Int(Option<i64>),
    Bool(Option<bool>),
    Real(Option<f64>),
    /// BYTEA, a name that SQLite accepts as well.
    Bytes(Option<Vec<u8>>),
}

macro_rules! value_from {
    ($($from:ty => $variant:ident($convert:expr)),* $(,)?) => {$(
        impl From<$from> for SqlValue {
            fn from(value: $from) -> Self {
                Self::$variant(Some($convert(value)))
            }
        }
        impl From<Option<$from>> for SqlValue {
            fn from(value: Option<$from>) -> Self {
                Self::$variant(value.map($convert))
            }
        }
    )*};
}

value_from! {
    String => Text(std::convert::identity),
    &str => Text(str::to_owned),
    &String => Text(String::clone),
    i64 => Int(std::convert::identity),
    i32 => Int(i64::from),
    u32 => Int(i64::from),
    bool => Bool(std::convert::identity),
    f64 => Real(std::convert::identity),
    Vec<u8> => Bytes(std::convert::identity),
    &[u8] => Bytes(<[u8]>::to_vec),
}

impl TryFrom<sea_query::Value> for SqlValue {
    type Error = StoreError;

    fn try_from(value: sea_query::Value) -> Result<Self, Self::Error> {
        use sea_query::Value as Q;
        Ok(match value {
            Q::Bool(value) => Self::Bool(value),
            Q::TinyInt(value) => Self::Int(value.map(i64::from)),
            Q::SmallInt(value) => Self::Int(value.map(i64::from)),
            Q::Int(value) => Self::Int(value.map(i64::from)),
            Q::BigInt(value) => Self::Int(value),
            Q::TinyUnsigned(value) => Self::Int(value.map(i64::from)),
            Q::SmallUnsigned(value) => Self::Int(value.map(i64::from)),
            Q::Unsigned(value) => Self::Int(value.map(i64::from)),
            // LIMIT and OFFSET are unsigned in sea-query.
            Q::BigUnsigned(value) => {
                Self::Int(value.map(i64::try_from).transpose().map_err(|_| {
                    StoreError::statement("a number is larger than a database integer")
                })?)
            }
            Q::Float(value) => Self::Real(value.map(f64::from)),
            Q::Double(value) => Self::Real(value),
            Q::String(value) => Self::Text(value),
            Q::Char(value) => Self::Text(value.map(String::from)),
            Q::Bytes(value) => Self::Bytes(value),
            other => {
                return Err(StoreError::statement(format!(
                    "the gate has no such value type: {other:?}"
                )));
            }
        })
    }
}
