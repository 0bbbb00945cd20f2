//! A chat that remembers: client-side, offline, the same in every tab.

#[cfg_attr(feature = "bare", path = "bare.rs")]
mod talk;

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use talk::{Line, Talk};

fn main() {
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let lines = RwSignal::new(Vec::<Line>::new());
    let prompt = RwSignal::new(String::new());
    let problem = RwSignal::new(None::<String>);
    let draft = RwSignal::new(String::new());
    // A memory lives on one thread, as all of a page does.
    let talk = StoredValue::new_local(None::<Talk>);

    spawn_local(async move {
        let show = move |all| lines.set(all);
        match Talk::open(show).await {
            Ok(opened) => talk.set_value(Some(opened)),
            Err(error) => problem.set(Some(error.to_string())),
        }
    });

    let send = move |event: SubmitEvent| {
        event.prevent_default();
        let text = draft.get_untracked().trim().to_owned();
        let Some(talk) = talk.get_value().filter(|_| !text.is_empty()) else { return };
        draft.set(String::new());
        spawn_local(async move {
            match talk.say(&text).await {
                Ok(told) => prompt.set(told),
                Err(error) => problem.set(Some(error.to_string())),
            }
        });
    };

    view! {
        <main>
            <h1>"A chat that remembers"</h1>
            <p class="about">
                "Tell it something about yourself, then ask. Close the tab, go offline, come back: it is still there."
            </p>
            <ol aria-live="polite">
                <For each=move || lines.get() key=|line| line.id.clone() let:line>
                    <li class=line.role>{line.text}</li>
                </For>
            </ol>
            <form on:submit=send>
                <input
                    aria-label="Message"
                    placeholder="My sister Ana lives in Porto"
                    autocomplete="off"
                    bind:value=draft
                />
                <button>"Send"</button>
            </form>
            <Show when=move || problem.get().is_some()>
                <p role="alert">{move || problem.get()}</p>
            </Show>
            <Show when=move || !prompt.get().is_empty()>
                <details>
                    <summary>"What a model would be sent"</summary>
                    <pre>{move || prompt.get()}</pre>
                </details>
            </Show>
        </main>
    }
}
