import { listFunctions, type Node, nameOf, parse, visit } from './syntax.ts'

/** One small change of a source. */
export interface Mutant {
  readonly file: string
  /** What kind of change it is. Draws choose the kind first, so that frequent ones do not crowd out rare ones. */
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
  /** The function around it, or an empty text for a part of the module itself. */
  readonly scope: string
}

interface Change {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

type Mutator = (node: Node, textOf: (node: Node) => string) => readonly Change[]

const replace = (node: Node, kind: string, replacement: string): Change => ({
  kind,
  start: node.start,
  end: node.end,
  replacement,
})

const otherComparisons = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
])

const otherCalculations = new Map([
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
])

const otherMethods = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['startsWith', 'includes'],
  ['endsWith', 'includes'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
])

/** Methods whose result is like the value that they are called on. */
const leftOut = [
  'filter',
  'trim',
  'normalize',
  'toLowerCase',
  'toUpperCase',
  'slice',
  'toSorted',
  'toReversed',
  'reverse',
]

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' ||
  ((node.type === 'AwaitExpression' || node.type === 'UnaryExpression') && isCall(node.child('argument'))) ||
  (node.type === 'ChainExpression' && isCall(node.child('expression')))

/** Without a call of `super`, a constructor fails. */
const isDroppable = (node: Node): boolean =>
  isCall(node) && node.children('callee').every(({ type }) => type !== 'Super')

/** A condition that reads as a whole before and after. */
const negate = (condition: string): string => `!(${condition})`

const mutators: readonly Mutator[] = [
  (node, textOf) =>
    node.type === 'IfStatement' || node.type === 'ConditionalExpression'
      ? [replace(node.child('test'), 'negated condition', negate(textOf(node.child('test'))))]
      : [],
  (node) =>
    node.type === 'ThrowStatement' ||
    (node.type === 'ExpressionStatement' && isDroppable(node.child('expression')))
      ? [replace(node, 'dropped statement', '{}')]
      : [],
  (node, textOf) => {
    if (node.type !== 'BinaryExpression') return []
    const [left, right, operator] = [node.child('left'), node.child('right'), String(node.get('operator'))]
    const comparison = otherComparisons.get(operator)
    const calculation = otherCalculations.get(operator)
    const other = comparison ?? calculation
    if (other === undefined) return []
    return [
      replace(
        node,
        comparison ? 'changed comparison' : 'changed calculation',
        `((${textOf(left)}) ${other} (${textOf(right)}))`,
      ),
    ]
  },
  (node, textOf) =>
    node.type === 'LogicalExpression'
      ? [
          replace(node, 'dropped operand', `(${textOf(node.child('left'))})`),
          replace(node, 'dropped operand', `(${textOf(node.child('right'))})`),
        ]
      : [],
  (node) =>
    node.type === 'ArrayExpression'
      ? node.children('elements').map((element, index, all) => ({
          kind: 'dropped element',
          // With the comma before it, or after the first one.
          start: all[index - 1]?.end ?? element.start,
          end: index === 0 ? (all[1]?.start ?? element.end) : element.end,
          replacement: '',
        }))
      : [],
  (node) => {
    if (node.type === 'ReturnStatement' && node.has('argument'))
      return [replace(node.child('argument'), 'returned nothing', 'undefined')]
    if (node.type === 'ArrowFunctionExpression' && node.get('expression') === true)
      return [replace(node.child('body'), 'returned nothing', 'undefined')]
    return []
  },
  (node) => {
    if (node.type !== 'Literal') return []
    const value = node.get('value')
    if (typeof value === 'boolean') return [replace(node, 'changed constant', String(!value))]
    if (typeof value === 'number') return [replace(node, 'changed constant', String(value + 1))]
    return []
  },
  (node, textOf) => {
    if (node.type !== 'CallExpression' || node.child('callee').type !== 'MemberExpression') return []
    const callee = node.child('callee')
    const [object, property] = [callee.child('object'), callee.child('property')]
    const name = String(property.get('name') ?? '')
    const [argument] = node.children('arguments')
    const other = otherMethods.get(name)
    if (other !== undefined) return [replace(property, 'changed method', other)]
    // A list that contains a text becomes a text that contains it.
    if (name === 'includes' && argument)
      return [replace(node, 'changed method', `String(${textOf(object)}).includes(${textOf(argument)})`)]
    return leftOut.includes(name) ? [replace(node, 'changed method', textOf(object))] : []
  },
]

/** Whether a call or a statement describes a model, as `describeModel` does. */
const isDescribing = (node: Node): boolean =>
  node.children('callee').some((callee) => String(callee.get('name')).startsWith('describe'))

const hasDescription = (node: Node): boolean =>
  node.children('properties').some((property) => nameOf(property) === 'description')

/**
 * Whether a part says something to readers alone: texts of the reference, examples, and names of errors. Types are not visited at
 * all.
 */
const isForReaders = (node: Node): boolean => {
  const name = nameOf(node)
  return (
    (node.type === 'LogicalExpression' && node.child('left').get('name') === 'docs') ||
    (node.type === 'Property' && ['text', 'summary', 'description', 'examples'].includes(name)) ||
    (node.type === 'VariableDeclarator' && /^example|Descriptions?$/.test(name)) ||
    (isCall(node) && isDescribing(node)) ||
    (node.type === 'ArrowFunctionExpression' && hasDescription(node.child('body')))
  )
}

/** Lists all mutants of a source. */
export const findMutants = (file: string, source: string): readonly Mutant[] => {
  const root = parse(source)
  const functions = listFunctions(root)
  const findScope = ({ start, end }: Change): string =>
    functions.findLast(({ body }) => body.start <= start && end <= body.end)?.name ?? ''
  const found: Mutant[] = []
  visit(root, (node) => {
    if (isForReaders(node)) return false
    for (const mutate of mutators)
      for (const change of mutate(node, ({ start, end }) => source.slice(start, end))) {
        const original = source.slice(change.start, change.end)
        if (change.replacement !== original)
          found.push({ file, scope: findScope(change), original, ...change })
      }
    return true
  })
  return found
}

/** Returns the source with the mutant in it. */
export const applyMutant = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end)
