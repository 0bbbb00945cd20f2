//! Reports the place of a panic to the host. The message stays here: it may contain memory content (S20).

use super::Host;
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static HOST: RefCell<Option<Rc<Host>>> = const { RefCell::new(None) };
}

pub(super) fn report_to(host: Rc<Host>) {
    HOST.set(Some(host));
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!("{}:{}", at.file(), at.line()));
        HOST.with_borrow(|host| {
            if let Some(host) = host {
                host.panicked(&place);
            }
        });
    }));
}
