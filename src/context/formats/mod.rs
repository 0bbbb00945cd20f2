//! Histories in the forms that providers and SDKs take, and back (E11).
