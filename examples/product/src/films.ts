export interface Film {
  readonly id: number
  readonly title: string
  readonly path: string
}

/** The films of the library. A real product keeps them in a database. */
export const films: Film[] = [
  { id: 1, title: 'The Kid', path: '/films/the-kid.mov' },
  { id: 2, title: 'Metropolis', path: '/films/metropolis.mov' },
  { id: 3, title: 'Nosferatu', path: '/films/nosferatu.mov' },
]

export const findFilm = (id: number): Film | undefined => films.find((film) => film.id === id)
