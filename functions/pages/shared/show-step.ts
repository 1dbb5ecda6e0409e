const getHeading = (): HTMLHeadingElement => {
  const heading = document.querySelector('h1')
  if (!heading) throw new TypeError('The page has no heading.')
  return heading
}

/** Changes the title of the page, both in the tab and in the heading. */
export const setTitle = (title: string): void => {
  document.title = title
  getHeading().textContent = title
}

/** Announces the next step of the page. The heading gets the focus, so that screen readers read the new title. */
export const showStep = (title: string): void => {
  setTitle(title)
  const heading = getHeading()
  heading.tabIndex = -1
  heading.focus()
}
