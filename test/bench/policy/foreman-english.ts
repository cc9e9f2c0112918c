// Clauses as an English safety manual has them, and questions in a foreman's own words, written before the
// search was tried on them. Others write guard rail and guardrail, scaffold and scaffolding.
import type { ForemanQuestion } from './foreman-questions.ts';
import type { Clause } from './index-of.ts';

const MANUAL: readonly (readonly [number: string, text: string])[] = [
  [
    '1.1',
    'Head protection. Employees in areas with a danger of head injury from impact or falling objects shall wear protective helmets.',
  ],
  [
    '1.2',
    'Eye and face protection equipment is provided when machines or operations present potential eye or face injury.',
  ],
  [
    '1.3',
    'Hearing protective devices are worn where noise exceeds an average of 90 decibels over eight hours.',
  ],
  [
    '1.4',
    'Respirators are used where harmful dusts, fumes, mists, gases or vapors cannot be controlled otherwise.',
  ],
  ['1.5', 'Lanyards and vertical lifelines shall have a minimum breaking strength of 5,000 pounds.'],
  [
    '1.6',
    'Anchorages used for attachment of personal fall arrest equipment shall support at least 5,000 pounds per employee attached.',
  ],
  [
    '2.1',
    'The top edge height of top rails of guardrail systems shall be 42 inches plus or minus 3 inches above the walking level.',
  ],
  [
    '2.2',
    'Midrails are installed midway between the top edge of the guardrail system and the walking surface.',
  ],
  ['2.3', 'Toeboards shall be a minimum of 3 1/2 inches in vertical height.'],
  [
    '2.4',
    'Safety nets are installed as close as practicable under the surface, never more than 30 feet below it.',
  ],
  [
    '2.5',
    'Covers over holes in floors shall be colour coded or marked HOLE and secured against displacement.',
  ],
  [
    '2.6',
    'Each employee on a surface with an unprotected edge 6 feet or more above a lower level shall be protected from falling.',
  ],
  [
    '3.1',
    'Scaffolds are erected, moved, dismantled or altered only under the supervision of a competent person.',
  ],
  ['3.2', 'Each platform on all working levels of scaffolds shall be fully planked or decked.'],
  ['3.3', 'Scaffolds and their components shall support at least four times the maximum intended load.'],
  [
    '3.4',
    'Work on scaffolds is prohibited during storms or high winds unless a competent person has determined it is safe.',
  ],
  [
    '3.5',
    'Supported scaffold poles shall bear on base plates and mud sills or other adequate firm foundation.',
  ],
  ['4.1', 'Portable ladders shall extend at least 3 feet above the landing to which access is gained.'],
  ['4.2', 'The top or top step of a stepladder shall not be used as a step.'],
  [
    '4.3',
    'Ladders are placed so that the horizontal distance from the foot is about one quarter of the working length.',
  ],
  [
    '5.1',
    'Each employee in an excavation shall be protected from cave-ins by a protective system unless it is less than 5 feet deep.',
  ],
  ['5.2', 'Excavated material is kept at least 2 feet from the edge of excavations.'],
  [
    '5.3',
    'A stairway, ladder or ramp is located in trenches 4 feet or more in depth so that no more than 25 feet of travel is needed.',
  ],
  [
    '5.4',
    'The location of utility installations such as sewer, telephone, fuel and electric lines is determined before opening an excavation.',
  ],
  [
    '6.1',
    'A fire extinguisher rated not less than 2A is provided for each 3,000 square feet of the building floor area.',
  ],
  [
    '6.2',
    'Oxygen cylinders in storage are separated from fuel gas cylinders by at least 20 feet or a barrier 5 feet high.',
  ],
  ['6.3', 'Cylinders are secured upright at all times and valve caps are in place when moved.'],
  ['6.4', 'Smoking is prohibited in the vicinity of operations which constitute a fire hazard.'],
  [
    '6.5',
    'No more than 25 gallons of flammable liquids are stored in a room outside of an approved cabinet.',
  ],
  [
    '7.1',
    'Ground-fault circuit interrupters are used on all 15 and 20 ampere receptacle outlets that are not permanent wiring.',
  ],
  ['7.2', 'Worn or frayed electric cords shall not be used; extension cords are protected from damage.'],
  ['7.3', 'Equipment is not operated within 10 feet of energized power lines of up to 50 kilovolts.'],
  ['8.1', 'Wire rope is taken out of service when six randomly distributed wires in one lay are broken.'],
  ['8.2', 'No person shall ride on the load, the hook or the headache ball of a crane.'],
  ['8.3', 'A crane operator obeys a stop signal no matter who gives it.'],
  ['8.4', 'Rigging equipment is inspected before each shift and defective slings are removed from service.'],
  [
    '9.1',
    'A first aid kit is checked weekly and a person trained in first aid is available at the worksite.',
  ],
  ['9.2', 'Toilets are provided: one for twenty workers or fewer.'],
  ['9.3', 'Drinking water is supplied in closed containers with a tap; a common cup is prohibited.'],
  ['9.4', 'Lumber with protruding nails is not left in work areas; scrap is cleared away.'],
];

export const englishClauses: readonly Clause[] = MANUAL.map(([number, text]) => ({
  name: number,
  title: 'Site safety manual',
  path: number,
  text,
}));

export const englishQuestions: readonly ForemanQuestion[] = [
  ['hard hats required?', '1.1'],
  ['when do we need goggles', '1.2'],
  ['how loud before ear plugs', '1.3'],
  ['do i need a mask for dusty work', '1.4'],
  ['how strong must a lifeline be', '1.5'],
  ['what load must an anchor point hold', '1.6'],
  ['how high is a guard rail', '2.1'],
  ['where does the mid rail go', '2.2'],
  ['toe board height', '2.3'],
  ['how far below can the safety net hang', '2.4'],
  ['covering a hole in the floor', '2.5'],
  ['at what height is fall protection needed', '2.6'],
  ['who can put up scaffolding', '3.1'],
  ['does scaffolding have to be planked all the way', '3.2'],
  ['can we work on the scaffold when it is windy', '3.4'],
  ['what goes under scaffold legs', '3.5'],
  ['how far should a ladder stick out above the roof landing', '4.1'],
  ['can I stand on top of a step ladder', '4.2'],
  ['when does a trench need protection against caving in', '5.1'],
  ['how close to the edge can I put the spoil from excavating', '5.2'],
  ['how many fire extinguishers on a floor', '6.1'],
  ['storing oxygen bottles next to acetylene', '6.2'],
  ['do gas cylinders have to stand up', '6.3'],
  ['can I smoke next to the fuel store', '6.4'],
  ['frayed extension cord', '7.2'],
  ['how near may a crane come to a powerline', '7.3'],
  ['broken wires in a wire rope', '8.1'],
  ['can somebody ride the hook', '8.2'],
  ['how often must slings be inspected', '8.4'],
  ['how many toilets for 20 men', '9.2'],
];
