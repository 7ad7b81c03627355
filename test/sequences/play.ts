// Plays a sequence: performs each step on a world, and asks the model after each whether everything holds.
import * as fc from 'fast-check';
import { type Machine, startMachine } from './machine.js';
import { BrokenRule, Model } from './rules.js';
import { enrich, played } from './runs.js';
import {
  forget,
  importTable,
  meanwhile,
  pause,
  planAndEnrich,
  prune,
  retry,
  show,
  steer,
  suppress,
  withoutOut,
} from './steer.js';
import { SHOWS, type Step, type Wish } from './steps.js';
import { type Kind, World } from './world.js';

/** A step as fast-check wants it. */
export class PlayedStep implements fc.AsyncCommand<Model, World> {
  constructor(readonly step: Step) {}

  check({ lastWish, runs }: Readonly<Model>): boolean {
    if (this.step.do === 'again') return lastWish !== undefined;
    return !('run' in this.step) || this.step.run <= runs.length;
  }

  async run(model: Model, world: World): Promise<void> {
    try {
      await perform(this.step, model, world);
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error;
      throw new BrokenRule(`${this.toString()}: ${error.message}`);
    }
    played.steps += 1;
    played.kinds[this.step.do] = (played.kinds[this.step.do] ?? 0) + 1;
  }

  /** As it is written down in found.ts. */
  toString(): string {
    return JSON.stringify(this.step);
  }
}

/** Loads what commands load only when they need it: that takes real time, in which the driven one must not go on. */
export async function warmUp(): Promise<void> {
  const wish = { job: 'b.csv', ask: 'both' } as const;
  const machine = startMachine();
  try {
    const world = await World.open(machine);
    const model = new Model();
    const steps: Step[] = [
      { do: 'enrich', ...wish, submit: 'bulk' },
      { do: 'enrich', job: 'one.yaml', budget: 1 },
      { do: 'enrich', job: 'a.csv', collect: 'hybrid', list: true },
      { do: 'cancel', run: 2 },
      { do: 'retry', run: 1, only: 'failed' },
      { do: 'pause', job: 'one.yaml' },
      { do: 'resume', job: 'one.yaml' },
      { do: 'replay', job: 'one.yaml' },
      ...SHOWS.map((what): Step => ({ do: 'show', what, run: 1 })),
      { do: 'prune', olderThan: '30d' },
      { do: 'forget', person: 1 },
      { do: 'suppress', person: 1 },
      { do: 'import', job: 'b.csv' },
    ];
    for (const step of steps) {
      await perform(step, model, world).catch((error: unknown) => {
        if (!(error instanceof BrokenRule)) throw error;
      });
    }
    await world.close();
  } finally {
    machine.stop();
  }
}

/** Every sequence begins with a world of its own. */
export async function playCommands(
  commands: Iterable<fc.AsyncCommand<Model, World>>,
  start: () => Machine = startMachine,
  kind?: Kind,
): Promise<void> {
  const machine = start();
  try {
    const world = await World.open(machine, kind);
    try {
      const model = new Model(kind);
      await fc.asyncModelRun(() => ({ model, real: world }), commands);
      played.sequences += 1;
      played.payments += model.payments;
    } finally {
      await world.close();
    }
  } finally {
    machine.stop();
  }
}

/** @throws BrokenRule naming what did not hold */
export function play(steps: readonly Step[], kind?: Kind): Promise<void> {
  return playCommands(
    steps.map((step) => new PlayedStep(step)),
    startMachine,
    kind,
  );
}

/** Performs it on both. */
async function perform(step: Step, model: Model, world: World): Promise<unknown> {
  switch (step.do) {
    case 'enrich':
      return enrich([step], model, world);
    case 'again':
      return enrich([{ ...(model.lastWish as Wish), diesAt: undefined }], model, world);
    case 'plan and enrich':
      return planAndEnrich(step, model, world);
    case 'two at once':
      return enrich([step.one, step.other], model, world);
    case 'meanwhile':
      return meanwhile(step, model, world);
    case 'pass':
      return world.machine.pass(step.ms);
    case 'dialect':
      return world.setDialect(step.is);
    case 'add column':
      await enrich([{ job: 'grown.csv', ask: step.ask }], model, world);
      world.addColumn();
      return enrich([{ job: 'grown.csv', ask: step.ask }], model, world);
    case 'add lines': {
      const wish = { job: 'drawn.csv', sample: step.sample } as const;
      await enrich([wish], model, world);
      world.addLines();
      return enrich([wish], model, world);
    }
    case 'weather':
      return world.setWeather(step.is);
    case 'cancel':
      return steer(['cancel', String(step.run)], model, world);
    case 'retry':
      return retry(step, model, world);
    case 'pause':
    case 'resume':
      return pause(step, model, world);
    case 'prune':
      return prune(step, model, world);
    case 'forget':
      return forget(step.person, model, world);
    case 'suppress':
      return suppress(step.person, model, world);
    case 'import':
      return importTable(step, model, world);
    case 'replay': {
      const args = await world.argsOf({ job: step.job });
      return steer(['replay', ...withoutOut(args.slice(1))], model, world);
    }
    case 'show':
      return show(step, model, world);
  }
}
