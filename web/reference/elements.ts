/** Returns the element with this id. Throws a `TypeError` if the page has no such element of this type. */
export const getElement = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const element = document.getElementById(id)
  if (!(element instanceof type)) throw new TypeError(`The page has no ${type.name} with the id ${id}.`)
  return element
}

/** Shows or hides an element of the page. */
export const setVisible = (id: string, isVisible: boolean): void => {
  getElement(id, HTMLElement).hidden = !isVisible
}

/** Creates an element with these properties. Texts are set as text, so that they never become markup. */
export const createElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
