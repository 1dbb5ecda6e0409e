import { getElement } from './elements.ts'
import { unreachableMessage } from './messages.ts'
import { showMessage } from './show-message.ts'

/** Runs the action with the buttons of the form disabled. A rejected action counts as an unreachable service. */
export const runWhileDisabled = async (formId: string, action: () => Promise<void>): Promise<void> => {
  const buttons = [...getElement(formId, HTMLFormElement).querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try {
    await action()
  } catch {
    showMessage('problem', unreachableMessage)
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

/** Runs the action instead of sending the form. */
export const onSubmit = (formId: string, action: () => Promise<void>): void => {
  getElement(formId, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    void runWhileDisabled(formId, action)
  })
}

/** Runs the action when the button is pressed, with the buttons of the form disabled. */
export const onClick = (buttonId: string, formId: string, action: () => Promise<void>): void => {
  getElement(buttonId, HTMLButtonElement).addEventListener('click', () => {
    void runWhileDisabled(formId, action)
  })
}
