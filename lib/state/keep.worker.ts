/** Keeps originals of imported files beside the import's own worker. */

import { serveKeeping } from './keeper'

serveKeeping(self as unknown as Worker)
