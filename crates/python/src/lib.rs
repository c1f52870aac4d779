//! Python, with PySpark and Delta in it.
//!
//! A [`Session`] starts an interpreter, puts the modules of `lib/` into it and runs programs. What those modules want of
//! the engine goes through one [`Door`]: a plain value in, a plain value out. They know nothing of Rust and the engine
//! knows nothing of Python; so the interpreter can live in a wasm module of its own.
//!
//! The interpreter is RustPython without its standard library: there is no file, no clock, no network and no process
//! that a program could reach. The modules of the standard library that programs of this kind import are our own.

mod cells;
mod door;
mod failure;
mod modules;
mod native;
mod places;

pub use cells::{Cell, Language, cells};
pub use door::Door;
pub use failure::Failure;

use door::{from_json, to_json};
use failure::{raised, unreadable};
use places::Places;
use rustpython_vm as vm;
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use vm::builtins::{PyBaseExceptionRef, PyDict};
use vm::scope::Scope;
use vm::{Interpreter, PyObjectRef, PyResult, TryFromObject, VirtualMachine};

/// What a program is called in tracebacks.
pub(crate) const PROGRAM: &str = "<program>";

/// How deep calls may go where the stack is a browser's: it is much smaller than a thread of ours.
const DEPTH_IN_A_BROWSER: usize = 200;

/// An interpreter in which programs run one after the other, as the cells of a notebook do: names stay.
pub struct Session {
    interpreter: Interpreter,
    door: Rc<dyn Door>,
    /// What is in scope of every program, and what the modules are made of.
    scope: Scope,
    prelude: Scope,
    /// Of the program that runs.
    places: Rc<RefCell<Places>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Session {
    /// Starts an interpreter and puts the modules in place.
    ///
    /// # Errors
    /// A module of ours that cannot be read: a bug.
    pub fn new(door: Rc<dyn Door>) -> Result<Self, Failure> {
        let interpreter = Interpreter::without_stdlib(vm::Settings::default());
        let places = Rc::new(RefCell::new(Places::default()));
        let (scope, prelude) = interpreter.enter(|vm| explained(vm, start(vm, &door, &places)))?;
        Ok(Self { interpreter, door, scope, prelude, places })
    }

    /// Forgets all names, and what a program did to modules. It is then as it was when it started, but much sooner than
    /// another would be; and another would never give back all of this one's memory.
    ///
    /// # Errors
    /// Something that a program did cannot be undone: a bug.
    pub fn forget(&self) -> Result<(), Failure> {
        self.interpreter.enter(|vm| {
            let forget = || {
                self.prelude.globals.get_item("_forget", vm)?.call((), vm)?;
                self.scope.globals.clear();
                fill(vm, &self.scope, &self.prelude)
            };
            explained(vm, forget())
        })
    }

    /// Gives a name to what a query gives, or to a `DeltaTable`.
    ///
    /// # Errors
    /// What the engine says against it.
    pub fn give(&self, name: &str, given: &Given) -> Result<(), Failure> {
        self.interpreter.enter(|vm| explained(vm, self.given(vm, name, given)))
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// Why it stopped early.
    pub fn run(&self, program: &str) -> Result<(), Failure> {
        self.places.replace(Places::of(program));
        self.interpreter.enter(|vm| {
            let run = || {
                let code = compiled(vm, program, PROGRAM)?;
                vm.run_code_obj(code, self.scope.clone())?;
                Ok(())
            };
            explained(vm, run())
        })
    }

    /// Runs a text cell by cell: programs here, statements of SQL through the door.
    ///
    /// # Errors
    /// Why it stopped early.
    pub fn run_cells(&self, text: &str) -> Result<(), Failure> {
        for cell in cells(text) {
            // What comes before is blank, so that lines and columns are those of the whole text.
            let before = text.get(..cell.range.start).unwrap_or_default();
            let blank: String = before.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
            let own = format!("{blank}{}", text.get(cell.range).unwrap_or_default());
            match cell.language {
                Language::Python => {
                    self.door.call(json!({ "do": "begin", "text": own }));
                    self.run(&own)?;
                }
                Language::Sql => {
                    let reply = self.door.call(json!({ "do": "sql_cell", "text": own }));
                    if let Some(error) = reply.get("error") {
                        return Err(Failure::of_engine(error));
                    }
                }
            }
        }
        Ok(())
    }

    /// The number of the data frame that a name stands for.
    pub fn frame(&self, name: &str) -> Option<u64> {
        self.interpreter.enter(|vm| {
            let value = self.scope.globals.get_item(name, vm).ok()?;
            let number = vm.get_attribute_opt(value, "_id").ok().flatten()?;
            u64::try_from_object(vm, number).ok()
        })
    }

    /// The door that the interpreter was given.
    pub fn door(&self) -> &Rc<dyn Door> {
        &self.door
    }

    fn given(&self, vm: &VirtualMachine, name: &str, given: &Given) -> Result<(), Stop> {
        let (maker, text) = match given {
            Given::Frame(query) => ("_frame_of", query),
            Given::Table(table) => ("_table_of", table),
        };
        let value = self.prelude.globals.get_item(maker, vm)?.call((text.as_str(),), vm)?;
        self.scope.globals.set_item(name, value, vm)?;
        Ok(())
    }
}

/// A name that a program finds in place.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// What a query gives.
    Frame(String),
    /// A `DeltaTable`.
    Table(String),
}

enum Stop {
    Raised(PyBaseExceptionRef),
    Unreadable(Failure),
}

impl From<PyBaseExceptionRef> for Stop {
    fn from(exception: PyBaseExceptionRef) -> Self {
        Self::Raised(exception)
    }
}

fn explained<T>(vm: &VirtualMachine, result: Result<T, Stop>) -> Result<T, Failure> {
    result.map_err(|stop| match stop {
        Stop::Raised(exception) => raised(vm, &exception),
        Stop::Unreadable(failure) => failure,
    })
}

/// Puts the door and the modules into the interpreter; gives the scope of programs, and that of the modules.
fn start(vm: &VirtualMachine, door: &Rc<dyn Door>, places: &Rc<RefCell<Places>>) -> Result<(Scope, Scope), Stop> {
    if cfg!(target_arch = "wasm32") {
        vm.recursion_limit.set(DEPTH_IN_A_BROWSER);
    }
    let prelude = vm.new_scope_with_builtins();
    let (asked, printed, places) = (Rc::clone(door), Rc::clone(door), Rc::clone(places));
    let call = vm.new_function("_call", move |request: PyObjectRef, vm: &VirtualMachine| -> PyResult {
        let mut request = to_json(&request, vm)?;
        places.borrow().add_to(&mut request);
        Ok(from_json(&asked.call(request), vm))
    });
    let write = vm.new_function("_write", move |text: PyObjectRef, vm: &VirtualMachine| -> PyResult<()> {
        printed.print(&text.str(vm)?.to_string_lossy());
        Ok(())
    });
    let native = vm.new_function("_native", native::call);
    let sources = vm.ctx.new_dict();
    for (name, source) in modules::SOURCES {
        sources.set_item(*name, vm.ctx.new_str(*source).into(), vm)?;
    }
    let names: [(&str, PyObjectRef); 4] =
        [("_call", call.into()), ("_write", write.into()), ("_native", native.into()), ("_sources", sources.into())];
    for (name, value) in names {
        prelude.globals.set_item(name, value, vm)?;
    }
    vm.run_code_obj(compiled(vm, modules::START, "<start>")?, prelude.clone())?;
    let scope = vm.new_scope_with_builtins();
    fill(vm, &scope, &prelude)?;
    Ok((scope, prelude))
}

/// Puts what is in scope of every program into it.
fn fill(vm: &VirtualMachine, scope: &Scope, prelude: &Scope) -> Result<(), Stop> {
    if let Ok(names) = prelude.globals.get_item("_scope", vm)?.downcast::<PyDict>() {
        for (name, value) in names {
            scope.globals.set_item(&*name.str(vm)?.to_string_lossy(), value, vm)?;
        }
    }
    scope.globals.set_item("__name__", vm.ctx.new_str("__main__").into(), vm)?;
    scope.globals.set_item("__builtins__", vm.builtins.clone().into(), vm)?;
    Ok(())
}

fn compiled(vm: &VirtualMachine, text: &str, name: &str) -> Result<vm::PyRef<vm::builtins::PyCode>, Stop> {
    vm.compile(text, vm::compiler::Mode::Exec, name.to_owned())
        .map_err(|error| Stop::Unreadable(unreadable(&error, text)))
}
