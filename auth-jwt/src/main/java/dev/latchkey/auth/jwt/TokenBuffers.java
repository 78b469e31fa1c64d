package dev.latchkey.auth.jwt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The reused buffers for signing or verifying one token.
 *
 * <p>All threads share a few slots. A thread takes the buffers in the slot of its thread id, or creates new buffers if
 * the slot is empty or taken. Therefore there is no lock and no wait. The slots limit the number of kept buffers, not
 * the threads. A thread-local would keep some kilobytes for each of a million virtual threads. A taken object belongs
 * to one thread.
 */
final class TokenBuffers extends CacheLinePadding {

    /** The largest kept buffers; the buffers of a longer token are dropped after use. */
    private static final int KEPT_LENGTH = 8192;

    private static final int SLOTS =
            Integer.highestOneBit(Math.max(4, Runtime.getRuntime().availableProcessors()) * 4 - 1);

    private static final AtomicReferenceArray<TokenBuffers> POOL = new AtomicReferenceArray<>(SLOTS);

    private static final int FIRST_LENGTH = 1024;
    private static final int LONGEST_MAC = 64;

    /** The space that {@link Base64Url} may read or write after the end. */
    private static final int SLACK = Long.BYTES;

    /** Separates the MAC from the bytes of another thread by a cache line. */
    private static final int APART = 128;

    private static final VarHandle TAKEN = taken();

    private final JsonWriter json = new JsonWriter(FIRST_LENGTH);
    private final JsonScanner scanner = new JsonScanner();
    private final RegisteredClaims claims = new RegisteredClaims();
    private final byte[] mac = new byte[LONGEST_MAC + APART];

    /**
     * Whether a thread owns this object. A flag is cheaper than emptying the slot: the garbage collector must track each
     * write of a reference.
     */
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

    /** Takes buffers with space for a token of this many bytes. Call {@link #give} in a finally block. */
    static TokenBuffers take(int length) {
        int slot = (int) Thread.currentThread().getId() & SLOTS - 1;
        TokenBuffers buffers = POOL.getAcquire(slot);
        if (buffers == null || !TAKEN.compareAndSet(buffers, false, true)) {
            buffers = new TokenBuffers(slot);
        }
        buffers.token(length);
        return buffers;
    }

    /** Returns the buffers to the slot. */
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

    /** Space for the decoded form of this many Base64url characters. */
    byte[] payload(int characters) {
        int needed = Base64Url.decodedLength(characters) + SLACK;
        if (payload.length < needed) {
            payload = new byte[needed];
        }
        return payload;
    }

    /** The token's array with space for this many bytes; the old content is lost. */
    byte[] token(int length) {
        if (token.length < length + SLACK) {
            token = new byte[length + SLACK];
        }
        return token;
    }

    /** Copies a text that should be ASCII; {@code false} if a character is outside Latin-1 and the copy is wrong. */
    @SuppressWarnings("deprecation")
    boolean copy(String text) {
        int length = text.length();
        // Deprecated because the method cuts characters to bytes; no other method copies into an existing array. The
        // loop detects cut characters. The compiler removes the loop for strings stored in Latin-1.
        text.getBytes(0, length, token, 0);
        int cut = 0;
        for (int i = 0; i < length; i++) {
            cut |= text.charAt(i) >>> 8;
        }
        return cut == 0;
    }

    /** Appends the MAC over the start of the token; returns the token's length, or -1 if the key was closed. */
    int sign(HmacKey key, int length) {
        if (!key.compute(token, 0, length, mac)) {
            return -1;
        }
        token[length] = '.';
        return Base64Url.encode(mac, key.algorithm().macBytes(), token, length + 1);
    }

    /** Whether the text after this dot is the key's MAC over the text before the dot. */
    boolean isSignedWith(HmacKey key, int dot) {
        if (!key.compute(token, 0, dot, mac)) {
            return false;
        }
        if (Base64Url.isEncodedAt(token, dot + 1, mac, key.algorithm().macBytes())) {
            return true;
        }
        // The buffer must not keep the right MAC of a rejected token: the MAC would be a ready forgery.
        Arrays.fill(mac, (byte) 0);
        return false;
    }
}
