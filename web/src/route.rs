//! Which page is open, as the fragment of the address.

/// A place in the course.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Route {
    /// No fragment, or one that nobody knows: the first lesson.
    #[default]
    Start,
    /// `#/lesson/<slug>`
    Lesson(String),
    /// `#/playground`
    Playground,
    /// `#1…`: a link that carries a playground. Its fragment, without the `#`.
    Shared(String),
}

impl Route {
    /// Reads a fragment, with or without its `#`. Anything unknown is [`Route::Start`].
    pub fn parse(fragment: &str) -> Route {
        let fragment = fragment.trim_start_matches('#');
        if crate::share::is_link(fragment) {
            return Route::Shared(fragment.to_string());
        }
        let path = fragment.trim_matches('/');
        match path.split_once('/') {
            Some(("lesson", slug)) if is_slug(slug) => Route::Lesson(slug.to_string()),
            None if path == "playground" => Route::Playground,
            _ => Route::Start,
        }
    }

    /// The fragment that [`Route::parse`] reads back.
    pub fn fragment(&self) -> String {
        match self {
            Route::Start => "#/".to_string(),
            Route::Lesson(slug) => format!("#/lesson/{slug}"),
            Route::Playground => "#/playground".to_string(),
            Route::Shared(fragment) => format!("#{fragment}"),
        }
    }
}

/// A slug becomes part of a file name, so it may hold nothing that leads elsewhere.
pub fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::Route;

    #[test]
    fn fragments_round_trip() {
        for route in
            [Route::Start, Route::Lesson("first-upsert".into()), Route::Playground, Route::Shared("1abc".into())]
        {
            assert_eq!(Route::parse(&route.fragment()), route);
        }
    }

    #[test]
    fn a_fragment_cannot_name_a_file_elsewhere() {
        for fragment in ["", "#", "#/lesson/", "#/lesson/../secret", "#/lesson/a/b", "#/lesson/a%2Fb", "#/nowhere"] {
            assert_eq!(Route::parse(fragment), Route::Start, "{fragment}");
        }
    }
}
