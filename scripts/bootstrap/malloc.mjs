/** Without these the C library keeps most of the memory that a burst of large requests took. The images set them too. */
export const givesMemoryBack = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
