/** Imported before any schema is made: the first evaluation may compile code and later work may not, which misleads zod. */

import { z } from 'zod'

z.config({ jitless: true })
