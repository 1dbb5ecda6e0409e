import { useEffect, useState } from 'preact/hooks'

/** The part of a page that its address names after `#`: `/users/12`. Without one it is `/`. */
export const readRoute = (): string => location.hash.slice(1) || '/'

/** Follows the address of the page. */
export const useRoute = (): string => {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const follow = () => setRoute(readRoute())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
