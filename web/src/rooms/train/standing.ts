import type { TrainCar } from '../../api/types';
import type { BadgeTone } from '../../ui/Badge';

/** What is known of a car, in a word and a sentence. */
export interface Described {
  word: string;
  tone: BadgeTone;
  meaning: string;
}

const described: Readonly<Record<TrainCar['standing'], Described>> = {
  waiting: { word: 'Waits', tone: 'plain', meaning: 'Its turn to be tried has not come' },
  running: { word: 'Is tried', tone: 'active', meaning: 'Its checks run on the target with all before it' },
  passed: { word: 'Passed', tone: 'good', meaning: 'It lands when it is first' },
  failed: { word: 'Failed', tone: 'warning', meaning: 'Its checks run again before it is blamed' },
  clashes: { word: 'Clashes', tone: 'bad', meaning: 'It does not fit on those before it' },
  empty: { word: 'Empty', tone: 'plain', meaning: 'It adds nothing to those before it' },
  unknown: { word: 'Rides', tone: 'plain', meaning: 'How it stands only the server that runs its train knows' },
};

export const describe = (car: TrainCar): Described => described[car.standing];
