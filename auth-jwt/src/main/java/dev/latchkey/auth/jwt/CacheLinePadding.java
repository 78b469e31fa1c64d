package dev.latchkey.auth.jwt;

/**
 * Keeps what its subclasses write at least 128 bytes behind whatever lies in front of the object: fields of a superclass come first.
 *
 * <p>The buffers of two threads, and their parts, come to lie side by side when the garbage collector moves them. Where two
 * threads write to one cache line each waits for the other's write, and both took twice as long. 128 bytes are two
 * lines, as processors fetch them; the JDK's own annotation for this needs a flag of the JVM. Not
 * sealed, so that it does not know who is padded; it has no method to override.
 */
abstract class CacheLinePadding {

    /** Fills the gap behind the object's header, which a field of the subclass would get otherwise. */
    int gap;

    long p00, p01, p02, p03, p04, p05, p06, p07;
    long p08, p09, p10, p11, p12, p13, p14, p15;
}
