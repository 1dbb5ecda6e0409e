import {
  type Expression,
  type Node,
  NodeFlags,
  type SourceFile,
  SyntaxKind,
  type VariableDeclaration,
} from 'typescript/unstable/ast'
import {
  isAsExpression,
  isBinaryExpression,
  isElementAccessExpression,
  isNonNullExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isSatisfiesExpression,
  isSourceFile,
  isSpreadAssignment,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API, type Checker, type Project, SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

/*
 * An object has members that no one declared: `table['constructor']` is a function, and `'constructor' in table` is true.
 * So a constant must not be looked up by a text that can be anything. TypeScript allows it for every type with an index
 * signature, and for every key of the type `any`.
 */

/**
 * Lists the places where a program looks up a constant object by a text, or asks with `in` whether a text is a name in an
 * object. A key of a declared set of names, such as `'en' | 'de'`, is none.
 */
export const listTextIndexes = (
  configFiles: readonly string[],
  isChecked: (path: string) => boolean,
): readonly string[] => {
  const api = new API({ cwd: process.cwd() })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [...configFiles] })
    const found = snapshot.getProjects().flatMap((project) =>
      project.program
        .getSourceFileNames()
        .filter(isChecked)
        .flatMap((path) => listInFile(project, path)),
    )
    return [...new Set(found)].sort()
  } finally {
    api.close()
  }
}

const listInFile = (project: Project, path: string): readonly string[] => {
  const file = project.program.getSourceFile(path)
  if (!file) return []
  const found: string[] = []
  const visit = (node: Node): void => {
    if (isIndexByText(project, node) || isNameTest(project.checker, node))
      found.push(`${path}: ${node.getText(file)}`)
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

const isIndexByText = (project: Project, node: Node): boolean =>
  isElementAccessExpression(node) &&
  isAnyText(project.checker, node.argumentExpression) &&
  isConstantObject(project, unwrap(node.expression))

const isNameTest = (checker: Checker, node: Node): boolean =>
  isBinaryExpression(node) &&
  node.operatorToken.kind === SyntaxKind.InKeyword &&
  isAnyText(checker, node.left)

/** Whether the type of a key includes texts that no type names. */
const isAnyText = (checker: Checker, key: Expression): boolean => {
  const type = checker.getTypeAtLocation(key)
  const parts = type?.isUnionType() ? (type.getTypes() ?? []) : type ? [type] : []
  return parts.some(
    ({ flags }) => (flags & (TypeFlags.Any | TypeFlags.String | TypeFlags.TemplateLiteral)) !== 0,
  )
}

/** Whether an expression names an object literal that lists names, or a constant of a module. */
const isConstantObject = (project: Project, expression: Expression): boolean => {
  if (listsNames(expression)) return true
  const { checker } = project
  const local = checker.getSymbolAtLocation(expression)
  const isImported = local && (local.flags & SymbolFlags.Alias) !== 0
  const symbol = isImported ? checker.getAliasedSymbol(local) : local
  const declaration = symbol?.valueDeclaration?.resolve(project)
  if (!declaration || !isVariableDeclaration(declaration) || !declaration.initializer) return false
  return listsNames(unwrap(declaration.initializer)) || isOfModule(declaration)
}

/** A function also fills objects that begin empty or as a copy. */
const listsNames = (expression: Expression): boolean =>
  isObjectLiteralExpression(expression) && expression.properties.some((member) => !isSpreadAssignment(member))

const isOfModule = ({ parent: list }: VariableDeclaration): boolean =>
  (list.flags & NodeFlags.Const) !== 0 && isSourceFile(list.parent.parent as SourceFile)

const unwrap = (expression: Expression): Expression =>
  isAsExpression(expression) ||
  isSatisfiesExpression(expression) ||
  isParenthesizedExpression(expression) ||
  isNonNullExpression(expression)
    ? unwrap(expression.expression)
    : expression
