package dev.latchkey.auth.jwt;

/**
 * Keeps the fields of subclasses at least 128 bytes after the previous object: fields of a superclass come first.
 *
 * <p>The garbage collector may move the buffers of two threads side by side. If two threads write to one cache line,
 * each thread waits for the other thread's write, and both take twice as long. 128 bytes are two lines, the unit that
 * processors fetch. The JDK's own annotation for padding needs a JVM flag. This class is not sealed, so that it need
 * not list its subclasses. There is no method to override.
 */
abstract class CacheLinePadding {

    /** Fills the gap after the object's header. Otherwise a field of the subclass would fill the gap. */
    int gap;

    long p00, p01, p02, p03, p04, p05, p06, p07;
    long p08, p09, p10, p11, p12, p13, p14, p15;
}
