import { getElement } from './elements.ts'

/** Connects the "Show password" checkbox to these password fields. Returns a function that sets their visibility. */
export const connectPasswordVisibility = (inputIds: readonly string[]): ((isVisible: boolean) => void) => {
  const checkbox = getElement('show-passwords', HTMLInputElement)
  const setVisibility = (isVisible: boolean): void => {
    checkbox.checked = isVisible
    for (const id of inputIds) getElement(id, HTMLInputElement).type = isVisible ? 'text' : 'password'
  }
  checkbox.addEventListener('change', () => setVisibility(checkbox.checked))
  return setVisibility
}
