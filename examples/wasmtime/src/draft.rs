//! `wasi:keyvalue@0.2.0-draft`.

use crate::Host;
use crate::redis_bucket::Bucket;
use wasmtime::component::{HasSelf, Linker, Resource};

mod bindings {
    wasmtime::component::bindgen!({
        path: "../../service/wit",
        world: "keepsake:service/bucket-draft",
        imports: { default: async | trappable },
        with: { "wasi:keyvalue/store.bucket": crate::redis_bucket::Bucket },
    });
}

use bindings::wasi::keyvalue0_2_0_draft::{atomics, batch, store};

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

    async fn list_keys(&mut self, _: Resource<Bucket>, cursor: Option<u64>) -> Answer<store::KeyResponse> {
        let page = self.redis.keys(cursor.unwrap_or(0)).await;
        told(page.map(|(next, keys)| store::KeyResponse { keys, cursor: Some(next).filter(|next| *next != 0) }))
    }

    async fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

impl atomics::Host for Host {
    async fn increment(&mut self, _: Resource<Bucket>, key: String, by: u64) -> Answer<u64> {
        let Ok(by) = i64::try_from(by) else { return Ok(Err(store::Error::Other("too much".into()))) };
        told(self.redis.increment(&key, by).await.map(i64::unsigned_abs))
    }
}

impl batch::Host for Host {
    async fn get_many(&mut self, _: Resource<Bucket>, keys: Vec<String>) -> Answer<Vec<Option<(String, Vec<u8>)>>> {
        let found = self.redis.get_many(&keys).await;
        told(found.map(|found| keys.into_iter().zip(found).map(|(key, value)| Some((key, value?))).collect()))
    }

    async fn set_many(&mut self, _: Resource<Bucket>, items: Vec<(String, Vec<u8>)>) -> Answer<()> {
        told(self.redis.set_many(&items).await)
    }

    async fn delete_many(&mut self, _: Resource<Bucket>, keys: Vec<String>) -> Answer<()> {
        told(self.redis.delete(&keys).await)
    }
}
