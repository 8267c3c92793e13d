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
