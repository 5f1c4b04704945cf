/** npm `idb`, which the build bundles into this place with its licence: the package depends on nothing, and a plain script finds it. */
export { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from "idb";
