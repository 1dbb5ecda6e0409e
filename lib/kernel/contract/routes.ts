import type { Group } from './group.ts'
import { listMethods, type Method, type Operation } from './operation.ts'
import {
  compareSpecificity,
  compilePattern,
  greedySegment,
  isGreedy,
  isIdParameter,
  isParameter,
} from './path-pattern.ts'

/** The method of a route that takes every method of its path. */
export const anyMethod = 'ANY'

/** A route of the API, with the group whose function answers it. */
export interface GroupRoute {
  readonly method: Method | 'HEAD' | typeof anyMethod
  readonly path: string
  readonly target: Group
  /** As in API Gateway: `ANY /api/2/users/{id}`, or `ANY /api/2/groups/{proxy+}` for all paths below. */
  readonly routeKey: string
}

/** Below these, each segment begins the paths of another resource, so no group owns them. */
const sharedPrefixes = ['', '/api', '/api/2', '/api/2/auth', '/.well-known']

/** The paths of operations as a tree of segments. */
interface Node {
  readonly path: string
  readonly operations: Operation[]
  readonly children: Map<string, Node>
}

/**
 * Lists the fewest routes that lead each operation to the function of its group. Where a group owns what begins with the same segments,
 * it has a greedy route for it, and the function finds the operation. Other groups have longer routes there, which win. Where
 * operations of one path belong to different groups, each of their methods has a route.
 *
 * No greedy route is beside a parameter that has routes, because it is not documented which of two parameters in one place wins.
 * `requireOwnGroup` checks the result, which takes much longer.
 */
export const listRoutes = (operations: readonly Operation[]): readonly GroupRoute[] =>
  createSearch()(buildTree(operations), undefined)

const buildTree = (operations: readonly Operation[]): Node => {
  const root: Node = { path: '', operations: [], children: new Map() }
  for (const operation of operations) {
    let node = root
    for (const segment of operation.path.split('/').slice(1)) {
      const child = node.children.get(segment) ?? {
        path: `${node.path}/${segment}`,
        operations: [],
        children: new Map(),
      }
      node.children.set(segment, child)
      node = child
    }
    node.operations.push(operation)
  }
  return root
}

type Search = (node: Node, owner: Group | undefined) => readonly GroupRoute[]

/** Finds the fewest routes for the paths of a node and below, if a greedy route to `owner` already takes them. */
const createSearch = (): Search => {
  const found = new Map<string, readonly GroupRoute[]>()
  const search: Search = (node, owner) => {
    const key = `${owner} ${node.path}`
    const routes = found.get(key) ?? [...listOwnRoutes(node, owner), ...findBelow(node, owner, search)]
    found.set(key, routes)
    return routes
  }
  return search
}

const findBelow = (node: Node, owner: Group | undefined, search: Search): readonly GroupRoute[] => {
  const below = (group: Group | undefined) =>
    [...node.children.values()].flatMap((child) => search(child, group))
  let fewest = below(owner)
  if (sharedPrefixes.includes(node.path)) return fewest
  for (const group of listGroups(node)) {
    const rest = below(group)
    const isAmbiguous = rest.some(({ path }) => isParameter(path.slice(node.path.length + 1)))
    const routes = [createRoute(anyMethod, `${node.path}/${greedySegment}`, group), ...rest]
    if (!isAmbiguous && routes.length < fewest.length) fewest = routes
  }
  return fewest
}

/** The groups with paths below a node, in an order that does not depend on that of the operations. */
const listGroups = ({ children }: Node): readonly Group[] => {
  const groups = [...children.values()].flatMap((child) => [
    ...child.operations.map(({ group }) => group),
    ...listGroups(child),
  ])
  return [...new Set(groups)].sort()
}

const listOwnRoutes = ({ path, operations }: Node, owner: Group | undefined): readonly GroupRoute[] => {
  const [group, ...others] = new Set(operations.map((operation) => operation.group))
  if (group === undefined || (others.length === 0 && group === owner)) return []
  if (others.length === 0) return [createRoute(anyMethod, path, group)]
  return operations.flatMap((operation) =>
    listMethods(operation).map((method) => createRoute(method, path, operation.group)),
  )
}

const createRoute = (method: GroupRoute['method'], path: string, target: Group): GroupRoute => ({
  method,
  path,
  target,
  routeKey: `${method} ${path}`,
})

/**
 * Requires that the routes of `listRoutes` lead each request to the group of its operation.
 *
 * @throws Error if a route would lead an operation to another group
 */
export const requireOwnGroup = (operations: readonly Operation[], routes: readonly GroupRoute[]): void => {
  const byPath = new Map(operations.map((operation) => [operation.path, operation]))
  const known = [...byPath.keys()].sort(compareSpecificity)
  const patterns = known.map((path) => ({ path, match: compilePattern(path) }))
  const sorted = routes
    .map((route) => ({ ...route, match: compilePattern(route.path) }))
    .sort((a, b) => compareSpecificity(a.path, b.path))
  for (const path of known.flatMap((one) => [one, ...listRequests(one, known)])) {
    const sent = path.split('/')
    const expected = byPath.get(patterns.find(({ match }) => match(sent))?.path ?? '')
    const matching = sorted.filter(
      ({ method, match }) => (method === anyMethod || method === expected?.method) && match(sent),
    )
    // Both lead to the group, so that it does not matter which of them wins.
    const full = matching.find((one) => !isGreedy(one.path))
    const greedy = full?.path === expected?.path ? undefined : matching.find((one) => isGreedy(one.path))
    const wrong = [full, greedy].find((one) => one && one.target !== expected?.group)
    if (expected && (wrong || !(full ?? greedy)))
      throw new Error(
        `${expected.method} ${path} belongs to ${expected.group}, but ${wrong?.routeKey ?? 'no route'} leads to ${wrong?.target ?? 'it'}.`,
      )
  }
}

/**
 * Requests of a path whose parameters have the values of literal segments in their place, which could meet another route. IDs are numbers,
 * so such a request is refused by every group.
 */
const listRequests = (path: string, known: readonly string[]): readonly string[] => {
  const segments = path.split('/')
  return segments.flatMap((segment, at) => {
    if (!isParameter(segment) || isIdParameter(segment.slice(1, -1))) return []
    const before = segments.slice(0, at).join('/')
    const literals = known
      .filter((one) => one.startsWith(`${before}/`) && !isGreedy(one))
      .map((one) => one.split('/')[at] ?? '')
    return [...new Set(literals)]
      .filter((literal) => !isParameter(literal))
      .map((literal) => segments.with(at, literal).join('/'))
  })
}
