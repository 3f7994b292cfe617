// The shapes that the API and the page share. Those of the API are made from its description; what the page puts together
// from them stands here.

import type { Job, Named, Request, TileExpansion, TileGoal, TileSuccessor } from "./schema";

export * from "./schema";
export type Choice = Named;
type Open<T> = Exclude<T, null>;
/** A request as the page puts it together: its names come from the table of options. */
export type Config = {
  [name in keyof Request]: name extends "deadlocks"
    ? string[]
    : Open<Request[name]> extends string | undefined
      ? string
      : Open<Request[name]>;
};
/** The part that says how long. */
export type JobLimits = Pick<Request, "time_limit" | "memory_limit" | "node_limit">;
export type Point = NonNullable<Job["history"]>[number];

/** What searches on every kind of board tell. */
export type AnySuccessor = Pick<TileSuccessor, "node" | "g" | "h" | "fate" | "goal"> & { rule?: string | null };
export type AnyExpansion = Omit<TileExpansion, "board" | "successors">;
export type AnyGoal = Omit<TileGoal, "board">;

/** A way to ask: over HTTP or of workers. `follow` calls back with every state of a job until the function it gives is called. */
export type Transport = {
  ask: (method: string, path: string, body?: BodyInit | null, type?: string) => Promise<any>;
  follow: (id: string, onstate: (job: Job) => void, onbroken: () => void) => () => void;
};
