import { parseAst } from 'vitest/node'

/** A node of a syntax tree (ESTree with TypeScript). */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly get: (name: string) => unknown
  readonly has: (name: string) => boolean
  /** @throws Error if the node has no such child */
  readonly child: (name: string) => Node
  /** The children of a list, without gaps. */
  readonly children: (name: string) => readonly Node[]
  /** All children that are no types. */
  readonly all: () => readonly Node[]
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> & { readonly type: string } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const toNode = (tree: Readonly<Record<string, unknown>> & { readonly type: string }): Node => {
  const children = (name: string): readonly Node[] => [tree[name]].flat().filter(isTree).map(toNode)
  return {
    type: tree.type,
    start: Number(tree['start']),
    end: Number(tree['end']),
    get: (name) => tree[name],
    has: (name) => isTree(tree[name]),
    children,
    child: (name) => {
      const [child] = children(name)
      if (!child) throw new Error(`${tree.type} has no ${name}`)
      return child
    },
    all: () =>
      Object.values(tree)
        .flat()
        .filter(isTree)
        .filter(({ type }) => !/^TS(?!As|NonNull|Satisfies)/.test(type))
        .map(toNode),
  }
}

/** Parses a TypeScript source. */
export const parse = (source: string): Node => {
  const tree: unknown = parseAst(source, { lang: 'ts' })
  if (!isTree(tree)) throw new Error('The parser returned no tree.')
  return toNode(tree)
}

/** The name that a node declares: of a variable, a function, a method or a property. Empty if it has none. */
export const nameOf = (node: Node): string => {
  const [named] = [...node.children('id'), ...node.children('key')]
  return String(named?.get('name') ?? named?.get('value') ?? '')
}

const functions = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']

/** Visits a tree from its root. A part whose visit returns `false` is left out. */
export const visit = (root: Node, see: (node: Node) => boolean): void => {
  if (see(root)) for (const child of root.all()) visit(child, see)
}

/** A function with the range of its body. Its name has those of the declarations around it. */
export interface FunctionRange {
  readonly name: string
  readonly body: Node
}

/** Lists the functions of a source, inner ones after those around them. */
export const listFunctions = (root: Node, names = ''): readonly FunctionRange[] => {
  const name = nameOf(root) === '' ? names : `${names}/${nameOf(root)}`
  if (!functions.includes(root.type) || !root.has('body'))
    return root.all().flatMap((child) => listFunctions(child, name))
  const own = `${name}()`
  return [
    { name: own, body: root.child('body') },
    ...root.all().flatMap((child) => listFunctions(child, own)),
  ]
}
