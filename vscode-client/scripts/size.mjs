const MIB = 1024 * 1024;
const LARGEST = 40 * MIB;

/**
 * The size of a package in words; throws if nobody should have to download it.
 * @param {string} file
 * @param {number} bytes
 */
export function checkSize(file, bytes) {
  const size = `${file}: ${(bytes / MIB).toFixed(1)} MiB`;
  if (bytes > LARGEST) throw new Error(`${size}, more than ${LARGEST / MIB}`);
  return size;
}
