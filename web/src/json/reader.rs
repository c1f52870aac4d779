//! A serde reader over `Tokens`, as small as the page's types allow.
//!
//! A struct is handed to its visitor as the list of its fields in the order of their declaration,
//! whatever their order in the text. Of the two ways of reading that serde derives, only the much
//! smaller one is then compiled in. A member that is missing ends the list: `#[serde(default)]`
//! applies to it, and every other field reports a list of another length.

use super::tokens::{Broken, Kind, Misfit, Tokens};
use serde::de::value::StringDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

/// Reads a value and nothing behind it.
pub fn read<'de, T: Deserialize<'de>>(text: &str) -> Result<T, Misfit> {
    let mut tokens = Tokens::new(text);
    let value = T::deserialize(Reader(&mut tokens)).map_err(|Broken| tokens.misfit())?;
    if tokens.is_at_end() {
        return Ok(value);
    }
    tokens.wrong("more than one value");
    Err(tokens.misfit())
}

struct Reader<'a, 'b>(&'b mut Tokens<'a>);

fn list<'de, V: Visitor<'de>>(tokens: &mut Tokens<'_>, visitor: V) -> Result<V::Value, Broken> {
    tokens.expect(b'[', "not a list")?;
    let mut items = Items { tokens, is_first: true, ended: false };
    let value = visitor.visit_seq(&mut items)?;
    // A visitor of fixed length stops before the end.
    if !items.ended {
        items.tokens.expect(b']', "a list of another length")?;
    }
    Ok(value)
}

fn record<'de, V: Visitor<'de>>(
    tokens: &mut Tokens<'_>,
    names: &'static [&'static str],
    visitor: V,
) -> Result<V::Value, Broken> {
    let starts = tokens.members(names)?;
    let end = tokens.place();
    let value = visitor.visit_seq(Record { tokens, starts, next: 0 })?;
    tokens.go(end);
    Ok(value)
}

fn object<'de, V: Visitor<'de>>(tokens: &mut Tokens<'_>, visitor: V) -> Result<V::Value, Broken> {
    tokens.expect(b'{', "not an object")?;
    visitor.visit_map(Fields { tokens, is_first: true })
}

macro_rules! integers {
    ($($name:ident $visit:ident $type:ty),*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
            let number = self.0.integer()?;
            visitor.$visit(<$type>::try_from(number).map_err(|_| self.0.wrong("a number out of range"))?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Broken;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        match self.0.kind()? {
            Kind::Null => self.0.null().and_then(|()| visitor.visit_unit()),
            Kind::Bool => self.0.boolean().and_then(|value| visitor.visit_bool(value)),
            Kind::Text => self.0.string().and_then(|value| visitor.visit_string(value)),
            Kind::List => list(self.0, visitor),
            Kind::Object => object(self.0, visitor),
            Kind::Number => {
                let number = self.0.integer()?;
                match u64::try_from(number) {
                    Ok(number) => visitor.visit_u64(number),
                    Err(_) => visitor.visit_i64(number),
                }
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.0.boolean().and_then(|value| visitor.visit_bool(value))
    }

    integers! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.0.string().and_then(|value| visitor.visit_string(value))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        if self.0.kind()? == Kind::Null {
            self.0.null()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.0.null().and_then(|()| visitor.visit_unit())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Broken> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        list(self.0, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Broken> {
        list(self.0, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        object(self.0, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Broken> {
        record(self.0, names, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Broken> {
        if self.0.kind()? == Kind::Text {
            let name: StringDeserializer<Broken> = self.0.string()?.into_deserializer();
            return visitor.visit_enum(name);
        }
        self.0.expect(b'{', "neither a name nor a variant")?;
        let value = visitor.visit_enum(Variant(self.0))?;
        self.0.expect(b'}', "more than one variant")?;
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.0.skip()?;
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { f32 f64 char bytes byte_buf unit_struct tuple_struct }
}

struct Items<'a, 'b> {
    tokens: &'b mut Tokens<'a>,
    is_first: bool,
    ended: bool,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_> {
    type Error = Broken;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Broken> {
        if self.ended || !self.tokens.item(&mut self.is_first, b']')? {
            self.ended = true;
            return Ok(None);
        }
        seed.deserialize(Reader(self.tokens)).map(Some)
    }
}

struct Record<'a, 'b> {
    tokens: &'b mut Tokens<'a>,
    /// Where the value of each field starts.
    starts: Vec<Option<usize>>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Record<'_, '_> {
    type Error = Broken;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Broken> {
        let start = self.starts.get(self.next).copied().flatten();
        self.next += 1;
        let Some(start) = start else { return Ok(None) };
        self.tokens.go(start);
        seed.deserialize(Reader(self.tokens)).map(Some)
    }
}

struct Fields<'a, 'b> {
    tokens: &'b mut Tokens<'a>,
    is_first: bool,
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = Broken;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Broken> {
        if !self.tokens.item(&mut self.is_first, b'}')? {
            return Ok(None);
        }
        seed.deserialize(Reader(self.tokens)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Broken> {
        self.tokens.expect(b':', "no colon")?;
        seed.deserialize(Reader(self.tokens))
    }
}

struct Variant<'a, 'b>(&'b mut Tokens<'a>);

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Broken;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Broken> {
        let name = seed.deserialize(Reader(self.0))?;
        self.0.expect(b':', "no colon")?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Broken;

    fn unit_variant(self) -> Result<(), Broken> {
        self.0.null()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Broken> {
        seed.deserialize(Reader(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Broken> {
        list(self.0, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, names: &'static [&'static str], visitor: V) -> Result<V::Value, Broken> {
        record(self.0, names, visitor)
    }
}
