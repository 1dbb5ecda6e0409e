/** Moves the focus to the heading of the page, from which people read on. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('h1[tabindex]')?.focus()

/** Does the same if the focus was on something that the page has removed. Without a focus, people start at the top. */
export const keepFocus = (): void => {
  setTimeout(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) focusHeading()
  })
}
