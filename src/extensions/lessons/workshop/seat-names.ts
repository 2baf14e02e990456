const qualities = (
  'brave bright calm clever cosy curious daring eager early fair fancy gentle glad happy jolly keen kind ' +
  'lively lucky merry mighty nimble noble patient polite proud quick quiet ready shiny smart steady sunny swift tidy warm'
).split(' ');
const animals = (
  'badger bear beaver bison cat crane deer dolphin duck eagle falcon ferret finch fox frog gecko goose hare hawk heron ' +
  'ibex koala lark lemur lion lynx magpie marten mole moose newt otter owl panda puffin rabbit raven robin salmon seal ' +
  'sparrow swan tiger toad trout turtle walrus whale wolf wren'
).split(' ');

/** A name of two words that nobody has yet, easy to say across a room: `brave-otter`. `below` draws a random number. */
export function freeName(taken: ReadonlySet<string>, below: (end: number) => number): string {
  const free = qualities.flatMap(quality =>
    animals.map(animal => `${quality}-${animal}`).filter(name => !taken.has(name)),
  );
  return free[below(free.length)] ?? 'guest';
}
