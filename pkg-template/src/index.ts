/**
 * Palimpsest makes a request to a language model fit its context window.
 *
 * The entries of the package (browser, Node, Workers, inline) all export what stands here; they differ only in where they find the
 * WebAssembly module.
 */
export { init } from "./load.js";
export { check, compact, measure, repair, restoreElided, trim } from "./requests.js";
export { pages } from "./pages.js";
export { imageCost, modelFacts, models } from "./models.js";
export { calibrate } from "./calibrate.js";
export { overflow } from "./overflow.js";
export { Conversation, type OpenCall, type Retried, type TreeNode } from "./conversation/conversation.js";
export type { Exported } from "./conversation/exported.js";
export type { TimelineEntry } from "./conversation/views.js";
export {
  CannotFitError,
  ConflictError,
  CorruptStoreError,
  InvalidHistoryError,
  OpenTurnError,
  OptionError,
  PalimpsestError,
  QuotaError,
  UnknownCheckpointError,
  UnknownModelError,
  UnrenderableError,
  UnsupportedFormatError,
  type ErrorCode,
} from "./errors.js";
export type { Change, Head, Listed, Node, NodeId, Part, Store, Stored } from "./stores/store.js";
export type {
  Calibration,
  Compacted,
  CompactionRecord,
  CompactOptions,
  Count,
  Elided,
  Format,
  ImageRule,
  Measure,
  Memo,
  Model,
  ModelFacts,
  ModelOptions,
  Overflow,
  Page,
  PageOptions,
  PageSet,
  PageShape,
  ReaderProfile,
  Repair,
  RepairKind,
  Report,
  Rung,
  RungCode,
  Summary,
  SummaryRequest,
  Violation,
} from "./types.js";
