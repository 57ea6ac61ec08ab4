import { totalmem } from 'node:os';
import { createMemoryRoom, roomIn } from '../memory-room.ts';

/** What the machine has, or the container may use. */
function memoryOfProcess(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The room for all sessions that a server keeps in memory, whatever their organisations. */
export const processMemory = createMemoryRoom(roomIn(memoryOfProcess()));
