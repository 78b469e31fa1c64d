package dev.latchkey.auth.client.webflux;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.BodyInserter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A request body that keeps a copy of its bytes during sending, up to {@value #MOST_BYTES} bytes. The source is
 * subscribed once: a second subscription may fail or be empty, and the repeated request would differ.
 */
final class KeptBody implements BodyInserter<Object, ClientHttpRequest> {

    static final int MOST_BYTES = 1 << 16;

    private enum State {
        NOTHING,
        PART,
        WHOLE
    }

    private final BodyInserter<?, ? super ClientHttpRequest> body;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, like the fields below. */
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Nullable
    private MediaType type;

    private boolean isTooLong;
    private State state = State.NOTHING;

    KeptBody(BodyInserter<?, ? super ClientHttpRequest> body) {
        this.body = body;
    }

    @Override
    public Mono<Void> insert(ClientHttpRequest message, Context context) {
        return body.insert(new Keeping(message), context);
    }

    /** Whether {@link #again} sends the whole body: all bytes were kept, or the request had no body. */
    boolean isWhole() {
        lock.lock();
        try {
            return state != State.PART && !isTooLong;
        } finally {
            lock.unlock();
        }
    }

    /** The kept bytes as a new body. */
    BodyInserter<Object, ClientHttpRequest> again() {
        return (message, context) -> {
            lock.lock();
            try {
                return state == State.NOTHING ? message.setComplete() : write(bytes.toByteArray(), message);
            } finally {
                lock.unlock();
            }
        };
    }

    private Mono<Void> write(byte[] kept, ClientHttpRequest message) {
        HttpHeaders headers = message.getHeaders();
        if (headers.getContentType() == null && type != null) {
            headers.setContentType(type);
        }
        headers.setContentLength(kept.length);
        return message.writeWith(Mono.fromSupplier(() -> message.bufferFactory().wrap(kept)));
    }

    private void begin(@Nullable MediaType written) {
        lock.lock();
        try {
            bytes.reset();
            type = written;
            isTooLong = false;
            state = State.PART;
        } finally {
            lock.unlock();
        }
    }

    private void keep(DataBuffer piece) {
        lock.lock();
        try {
            int length = piece.readableByteCount();
            if (isTooLong || bytes.size() + length > MOST_BYTES) {
                isTooLong = true;
                bytes.reset();
                return;
            }
            ByteBuffer copy = ByteBuffer.allocate(length);
            piece.toByteBuffer(copy);
            bytes.write(copy.array(), 0, length);
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            state = State.WHOLE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes to the request and keeps the bytes. A body that is flushed in pieces is not kept, because such a body has
     * no useful end.
     */
    private final class Keeping extends ClientHttpRequestDecorator {

        Keeping(ClientHttpRequest message) {
            super(message);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> pieces) {
            begin(getHeaders().getContentType());
            return pieces instanceof Mono<? extends DataBuffer> one
                    ? super.writeWith(one.doOnNext(KeptBody.this::keep).doOnSuccess(piece -> end()))
                    : super.writeWith(
                            Flux.from(pieces).doOnNext(KeptBody.this::keep).doOnComplete(KeptBody.this::end));
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> pieces) {
            begin(getHeaders().getContentType());
            return super.writeAndFlushWith(pieces);
        }
    }
}
