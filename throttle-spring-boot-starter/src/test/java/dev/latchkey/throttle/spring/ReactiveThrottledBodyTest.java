package dev.latchkey.throttle.spring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.spring.ThrottleProperties.Counts;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import dev.latchkey.throttle.spring.ThrottleProperties.Rate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

class ReactiveThrottledBodyTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final ByteBuf bytes = UnpooledByteBufAllocator.DEFAULT.heapBuffer();
    private final DataBuffer body =
            new NettyDataBufferFactory(UnpooledByteBufAllocator.DEFAULT).wrap(bytes.writeBytes(new byte[250]));
    private final Server server = new Server();

    /** In pieces of a hundred bytes, of which the first two may pass. */
    private ThrottleRule twoPieces(Duration maxWait, Duration writeTimeout) {
        Endpoints endpoints = new Endpoints(
                List.of("/**"),
                Counts.RESPONSE_BYTES,
                null,
                new Rate(1, Duration.ofDays(1), 200L),
                null,
                false,
                maxWait,
                100,
                100,
                DataSize.ofBytes(100),
                DataSize.ofKilobytes(1),
                writeTimeout,
                true);
        return ThrottleRule.of("bodies", endpoints, time, ThrottleListener.NONE);
    }

    private ReactiveThrottledBody piecesOf(ThrottleRule rule) {
        return new ReactiveThrottledBody(
                BodyThrottle.of(
                        List.of(rule), null, ClientSource.of("192.0.2.1").orElseThrow()),
                time);
    }

    /** Asks when it is told to, and gives back what it gets. */
    private static final class Server extends BaseSubscriber<DataBuffer> {

        private final List<String> read = new ArrayList<>();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // Asks for nothing by itself.
        }

        @Override
        protected void hookOnNext(DataBuffer piece) {
            read.add(piece.toString(US_ASCII));
            DataBufferUtils.release(piece);
        }

        @Override
        protected void hookOnComplete() {
            ended.complete(true);
        }

        @Override
        protected void hookOnError(Throwable failure) {
            ended.completeExceptionally(failure);
        }
    }

    private void assertCutOff() {
        assertThatThrownBy(() -> server.ended.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(BodyThrottle.CutOffException.class);
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void throttleIsAskedForAPiece_onlyWhenTheServerAsksForIt() {
        ThrottleRule rule = twoPieces(LONG, LONG);
        piecesOf(rule).of(Flux.just(body)).subscribe(server);
        assertThat(rule.throttle().snapshot().passed()).isZero();
        server.request(1);
        assertThat(rule.throttle().snapshot().passed()).isEqualTo(1);
        server.request(1);
        assertThat(server.read).hasSize(2).allMatch(piece -> piece.length() == 100);
        assertThat(rule.throttle().snapshot().waiting()).isZero();
        server.request(1);
        assertThat(rule.throttle().snapshot().waiting()).isEqualTo(1);
        assertThat(server.read).hasSize(2);
    }

    @Test
    void bodyThatNobodyWantsAnyMore_givesItsPlaceAndItsMemoryBack() {
        ThrottleRule rule = twoPieces(LONG, LONG);
        piecesOf(rule).of(Flux.just(body)).subscribe(server);
        server.request(3);
        assertThat(rule.throttle().snapshot().waiting()).isEqualTo(1);
        server.cancel();
        assertThat(rule.throttle().snapshot().waiting()).isZero();
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void pieceThatIsRefused_endsTheBodyAndGivesItsMemoryBack() {
        ReactiveThrottledBody pieces = piecesOf(twoPieces(Duration.ofMillis(1), LONG));
        pieces.of(Flux.just(body)).subscribe(server);
        server.request(3);
        time.advance(Duration.ofMillis(1));
        assertCutOff();
        assertThat(server.read).hasSize(2);
        assertThat(pieces.refusal()).isPresent();
    }

    @Test
    void serverThatAsksForNothingMore_isGivenUp() {
        ReactiveThrottledBody pieces = piecesOf(twoPieces(LONG, Duration.ofSeconds(30)));
        pieces.of(Flux.just(body)).subscribe(server);
        server.request(1);
        time.advance(Duration.ofSeconds(29));
        assertThat(server.ended).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertCutOff();
        assertThat(server.read).hasSize(1);
    }

    @Test
    void bodyWithinTheBurst_endsAndGivesItsMemoryBack() {
        ReactiveThrottledBody pieces = piecesOf(twoPieces(LONG, LONG));
        body.readPosition(60);
        pieces.of(Flux.just(body)).subscribe(server);
        server.request(10);
        assertThat(server.ended).isCompletedWithValue(true);
        assertThat(server.read).extracting(String::length).containsExactly(100, 90);
        assertThat(bytes.refCnt()).isZero();
        assertThat(pieces.refusal()).isEmpty();
    }
}
