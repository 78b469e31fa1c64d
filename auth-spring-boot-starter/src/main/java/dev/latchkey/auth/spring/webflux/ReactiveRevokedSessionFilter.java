package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginTime;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/**
 * Ends a session if its subject was revoked after the login, as on servlets. Runs before the filters that read the
 * session, because the time of a login must be in the session before the session is saved. Runs after Spring Security's
 * filter for concurrent sessions, which removes an ended session from the list of sessions. A request with a token uses
 * no session, in a chain that reads tokens.
 */
final class ReactiveRevokedSessionFilter implements WebFilter {

    private final SessionRevocations revocations;
    private final ReactivePlugins plugins;
    private final ReactiveRefusals refusals;
    private final @Nullable TokenHeader header;

    /** @param header the field of tokens in this chain; null if the chain reads no tokens of Latchkey */
    ReactiveRevokedSessionFilter(
            SessionRevocations revocations,
            ReactivePlugins plugins,
            ReactiveRefusals refusals,
            @Nullable TokenHeader header) {
        this.revocations = revocations;
        this.plugins = plugins;
        this.refusals = refusals;
        this.header = header;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (header != null && header.isIn(ReactiveHeaders.of(exchange))) {
            return chain.filter(withoutLoginInSession(exchange));
        }
        Instant begun = revocations.now();
        AtomicReference<List<String>> before = new AtomicReference<>(List.of());
        // The first read of the session, below, registers the action that saves the session.
        exchange.getResponse()
                .beforeCommit(() -> exchange.getSession()
                        .doOnNext(session -> note(session, before.get(), begun))
                        .then());
        return exchange.getSession().singleOptional().flatMap(found -> {
            if (found.isEmpty()) {
                // The service's WebSessionManager has no sessions.
                return filter(exchange, chain, new LoginTime(begun, null));
            }
            WebSession session = found.get();
            dropLoginOfOneRequest(session);
            List<String> subjects = subjectsIn(session);
            if (subjects.isEmpty()) {
                return filter(exchange, chain, new LoginTime(begun, null));
            }
            Instant loggedIn = subjects.stream()
                    .map(subject -> timeOf(session, subject))
                    .min(Comparator.naturalOrder())
                    .orElse(begun);
            return plugins.ask(() -> loginsIn(session).stream()
                            .anyMatch(login -> revocations.isRevoked(login, subject -> timeOf(session, subject))))
                    .map(isRevoked -> {
                        before.set(isRevoked ? List.of() : subjects);
                        Mono<Void> ended = isRevoked ? end(session) : Mono.empty();
                        return ended.then(filter(exchange, chain, new LoginTime(begun, isRevoked ? null : loggedIn)));
                    })
                    .onErrorResume(
                            AuthUnavailableException.class,
                            failure -> Mono.just(
                                    refusals.hold(failure).then(ReactiveAnswers.write(Answer.of(failure), exchange))))
                    .flatMap(Function.identity());
        });
    }

    /**
     * Clears the attributes first. Otherwise a session of Spring Session would keep its attributes, and so its login,
     * for the rest of the request.
     */
    private static Mono<Void> end(WebSession session) {
        session.getAttributes().clear();
        return session.invalidate();
    }

    private static Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, LoginTime time) {
        return chain.filter(exchange)
                .contextWrite(context -> context.put(CurrentLogin.class, time.in(ReactiveSource.in(context))));
    }

    /** Reads the session only if the service reads the session. */
    private static ServerWebExchange withoutLoginInSession(ServerWebExchange exchange) {
        AtomicReference<WebSession> read = new AtomicReference<>();
        exchange.getResponse()
                .beforeCommit(() -> Mono.justOrEmpty(read.get())
                        .doOnNext(ReactiveRevokedSessionFilter::dropLoginOfOneRequest)
                        .then());
        return new ServerWebExchangeDecorator(exchange) {
            @Override
            public Mono<WebSession> getSession() {
                return super.getSession().doOnNext(read::set);
            }
        };
    }

    /**
     * The annotation that keeps a login of a single request out of a servlet session has no effect on WebFlux. Removes by name,
     * because the values of a session of Spring Session are read-only.
     */
    private static void dropLoginOfOneRequest(WebSession session) {
        Map<String, Object> attributes = session.getAttributes();
        List<String> kept = attributes.entrySet().stream()
                .filter(attribute -> SessionRevocations.keepsLoginOfOneRequest(attribute.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        kept.forEach(attributes::remove);
    }

    private void note(WebSession session, List<String> before, Instant begun) {
        dropLoginOfOneRequest(session);
        subjectsIn(session).stream()
                .filter(subject -> !before.contains(subject))
                .forEach(subject ->
                        session.getAttributes().put(SessionRevocations.attributeOf(subject), begun.toEpochMilli()));
    }

    private List<String> subjectsIn(WebSession session) {
        return loginsIn(session).stream()
                .flatMap(login -> revocations.subjectsOf(login).stream())
                .toList();
    }

    private static List<Authentication> loginsIn(WebSession session) {
        return SessionRevocations.loginsIn(session.getAttributes().values().stream());
    }

    private static Instant timeOf(WebSession session, String subject) {
        return SessionRevocations.timeOf(
                session.getAttribute(SessionRevocations.attributeOf(subject)), session.getCreationTime());
    }
}
