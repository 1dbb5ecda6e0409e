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

export const createList = (texts: readonly string[]): HTMLUListElement => {
  const list = document.createElement('ul')
  for (const text of texts) list.append(Object.assign(document.createElement('li'), { textContent: text }))
  return list
}
