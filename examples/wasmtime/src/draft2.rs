//! `wasi:keyvalue@0.2.0-draft2`, which can compare and swap.

use crate::Host;
use crate::redis_bucket::{Bucket, Cas};
use wasmtime::component::{HasSelf, Linker, Resource};

mod bindings {
    wasmtime::component::bindgen!({
        path: "../../service/wit",
        world: "keepsake:service/bucket-draft2",
        imports: { default: async | trappable },
        with: {
            "wasi:keyvalue/store.bucket": crate::redis_bucket::Bucket,
            "wasi:keyvalue/atomics.cas": crate::redis_bucket::Cas,
        },
    });
}

use bindings::wasi::keyvalue0_2_0_draft2::{atomics, batch, store};

type Answer<T> = wasmtime::Result<Result<T, store::Error>>;

fn told<T>(result: redis::RedisResult<T>) -> Answer<T> {
    Ok(result.map_err(|error| store::Error::Other(error.category().into())))
}

pub(crate) fn add_to_linker(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    store::add_to_linker::<_, HasSelf<_>>(linker, |host| host)?;
    atomics::add_to_linker::<_, HasSelf<_>>(linker, |host| host)?;
    batch::add_to_linker::<_, HasSelf<_>>(linker, |host| host)
}

impl store::Host for Host {
    async fn open(&mut self, name: String) -> Answer<Resource<Bucket>> {
        if name != "default" {
            return Ok(Err(store::Error::NoSuchStore));
        }
        Ok(Ok(self.table.push(Bucket)?))
    }
}

impl store::HostBucket for Host {
    async fn get(&mut self, _: Resource<Bucket>, key: String) -> Answer<Option<Vec<u8>>> {
        told(self.redis.get(&key).await)
    }

    async fn set(&mut self, _: Resource<Bucket>, key: String, value: Vec<u8>) -> Answer<()> {
        told(self.redis.set_many(&[(key, value)]).await)
    }

    async fn delete(&mut self, _: Resource<Bucket>, key: String) -> Answer<()> {
        told(self.redis.delete(&[key]).await)
    }

    async fn list_keys(&mut self, _: Resource<Bucket>, cursor: Option<String>) -> Answer<store::KeyResponse> {
        let Ok(cursor) = cursor.as_deref().unwrap_or("0").parse() else {
            return Ok(Err(store::Error::Other("the cursor is none of ours".into())));
        };
        let page = self.redis.keys(cursor).await;
        let next = |next: u64| Some(next).filter(|next| *next != 0).map(|next| next.to_string());
        told(page.map(|(cursor, keys)| store::KeyResponse { keys, cursor: next(cursor) }))
    }

    async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

impl atomics::Host for Host {
    async fn increment(&mut self, _: Resource<Bucket>, key: String, by: i64) -> Answer<i64> {
        told(self.redis.increment(&key, by).await)
    }

    async fn swap(&mut self, cas: Resource<Cas>, value: Vec<u8>) -> wasmtime::Result<Result<(), atomics::CasError>> {
        let cas = self.table.delete(cas)?;
        match self.redis.swap(&cas, &value).await {
            Ok(true) => Ok(Ok(())),
            Ok(false) => match self.cas(cas.key).await? {
                Ok(cas) => Ok(Err(atomics::CasError::CasFailed(cas))),
                Err(error) => Ok(Err(atomics::CasError::StoreError(error))),
            },
            Err(error) => Ok(Err(atomics::CasError::StoreError(store::Error::Other(error.category().into())))),
        }
    }
}

impl Host {
    async fn cas(&mut self, key: String) -> Answer<Resource<Cas>> {
        match told(self.redis.get(&key).await)? {
            Ok(seen) => Ok(Ok(self.table.push(Cas { key, seen })?)),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl atomics::HostCas for Host {
    async fn new(&mut self, _: Resource<Bucket>, key: String) -> Answer<Resource<Cas>> {
        self.cas(key).await
    }

    async fn current(&mut self, cas: Resource<Cas>) -> Answer<Option<Vec<u8>>> {
        Ok(Ok(self.table.get(&cas)?.seen.clone()))
    }

    async fn drop(&mut self, cas: Resource<Cas>) -> wasmtime::Result<()> {
        self.table.delete(cas)?;
        Ok(())
    }
}

impl batch::Host for Host {
    async fn get_many(&mut self, _: Resource<Bucket>, keys: Vec<String>) -> Answer<Vec<(String, Option<Vec<u8>>)>> {
        let found = self.redis.get_many(&keys).await;
        told(found.map(|found| keys.into_iter().zip(found).collect()))
    }

    async fn set_many(&mut self, _: Resource<Bucket>, items: Vec<(String, Vec<u8>)>) -> Answer<()> {
        told(self.redis.set_many(&items).await)
    }

    async fn delete_many(&mut self, _: Resource<Bucket>, keys: Vec<String>) -> Answer<()> {
        told(self.redis.delete(&keys).await)
    }
}
