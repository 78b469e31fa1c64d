package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The buffers that signing or verifying one token needs, kept between uses.
 *
 * <p>They lie in a few slots that all threads share; a thread takes what lies in the slot that its id points to, and makes a new
 * one if that is taken or the slot is empty. So there is no lock, nobody waits, and the number of buffers that live on is
 * bounded by the slots, not by the threads: a thread-local would keep some kilobytes for each of a million virtual threads.
 * Owned by one thread while it is taken.
 */
final class TokenBuffers extends CacheLinePadding {

    /** The buffers that live on are no longer than this; a longer token gets its own. */
    private static final int KEPT_LENGTH = 8192;

    private static final int SLOTS =
            Integer.highestOneBit(Math.max(4, Runtime.getRuntime().availableProcessors()) * 4 - 1);

    private static final AtomicReferenceArray<TokenBuffers> POOL = new AtomicReferenceArray<>(SLOTS);

    private static final int FIRST_LENGTH = 1024;
    private static final int LONGEST_MAC = 64;

    /** What {@link Base64Url} may read or write beyond the end. */
    private static final int SLACK = Long.BYTES;

    /** So that the bytes behind a MAC, which may be another thread's, are on another cache line. */
    private static final int APART = 128;

    private static final VarHandle TAKEN = taken();

    private final JsonWriter json = new JsonWriter(FIRST_LENGTH);
    private final JsonScanner scanner = new JsonScanner();
    private final RegisteredClaims claims = new RegisteredClaims();
    private final byte[] mac = new byte[LONGEST_MAC + APART];

    /** Whether a thread owns this. A flag, where emptying the slot would be a write that the garbage collector wants to know of. */
    @SuppressWarnings("UnusedVariable") // used through TAKEN
    private volatile boolean taken = true;

    private final int slot;
    private byte[] token = new byte[FIRST_LENGTH + SLACK];
    private byte[] payload = new byte[FIRST_LENGTH];

    private TokenBuffers(int slot) {
        this.slot = slot;
    }

    private static VarHandle taken() {
        try {
            return MethodHandles.lookup().findVarHandle(TokenBuffers.class, "taken", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Buffers whose token has room for this many bytes. Every taking is followed by {@link #give} in a finally block. */
    static TokenBuffers take(int length) {
        int slot = (int) Thread.currentThread().getId() & SLOTS - 1;
        TokenBuffers buffers = POOL.getAcquire(slot);
        if (buffers == null || !TAKEN.compareAndSet(buffers, false, true)) {
            buffers = new TokenBuffers(slot);
        }
        buffers.token(length);
        return buffers;
    }

    /** Leaves it to the next one. */
    void give() {
        if (token.length <= KEPT_LENGTH + SLACK && json.buffer().length <= KEPT_LENGTH) {
            TAKEN.setRelease(this, false);
            if (POOL.getPlain(slot) != this) {
                POOL.setRelease(slot, this);
            }
        }
    }

    JsonWriter json() {
        return json;
    }

    JsonScanner scanner() {
        return scanner;
    }

    RegisteredClaims claims() {
        return claims;
    }

    byte[] token() {
        return token;
    }

    /** Room for what so many characters of Base64url stand for. */
    byte[] payload(int characters) {
        int needed = Base64Url.decodedLength(characters) + SLACK;
        if (payload.length < needed) {
            payload = new byte[needed];
        }
        return payload;
    }

    /** The token with room for this many bytes, its content not kept. */
    byte[] token(int length) {
        if (token.length < length + SLACK) {
            token = new byte[length + SLACK];
        }
        return token;
    }

    /**
     * Copies a text that should be ASCII; {@code false} if a character is outside Latin-1, and the copy is not that text.
     */
    @SuppressWarnings("deprecation")
    boolean copy(String text) {
        int length = text.length();
        // Deprecated because it cuts characters to bytes; it is the only copy into an array that is there already.
        // The loop finds what was cut, and the compiler drops it for a string that the JVM keeps in Latin-1.
        text.getBytes(0, length, token, 0);
        int cut = 0;
        for (int i = 0; i < length; i++) {
            cut |= text.charAt(i) >>> 8;
        }
        return cut == 0;
    }

    /** Computes the MAC over the front of the token and appends it; returns the token's length, or -1 if the key was closed. */
    int sign(HmacKey key, int length) {
        if (!key.compute(token, 0, length, mac)) {
            return -1;
        }
        token[length] = '.';
        return Base64Url.encode(mac, key.algorithm().macBytes(), token, length + 1);
    }

    /** Whether what stands behind the dot at this place is this key's MAC over what stands before it. */
    boolean isSignedWith(HmacKey key, int dot) {
        if (!key.compute(token, 0, dot, mac)) {
            return false;
        }
        if (Base64Url.isEncodedAt(token, dot + 1, mac, key.algorithm().macBytes())) {
            return true;
        }
        // For a token that is refused the MAC is a forgery ready for use.
        Arrays.fill(mac, (byte) 0);
        return false;
    }
}
