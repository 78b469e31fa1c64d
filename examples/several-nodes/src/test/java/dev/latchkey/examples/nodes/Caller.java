package dev.latchkey.examples.nodes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A user with endless logins, requests, refreshes and logouts on random nodes. For a single thread.
 *
 * <p>A missing answer and a 503 leave the outcome open. Then the user repeats the refresh with the same token, as a client
 * would.
 */
final class Caller implements Runnable {

    /** The time in which a used refresh token gets its replacement again. */
    static final Duration RACE_WINDOW = Duration.ofSeconds(60);

    /** The time in which a node may answer from its copy. */
    static final Duration STALE_AFTER = Duration.ofSeconds(2);

    private static final int UNKNOWN = 503;
    /** An interrupted login may hold a token of a limit for a while. */
    private static final int TOO_MANY = 429;

    private static final int NO_ACCESS = 401;
    /** RFC 6749 section 5.2. */
    private static final int NO_REFRESH = 401;

    private static final Duration HANGS = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> nodes;
    private final Promises promises;
    private final String account;
    private final String address;
    private final Random random;
    private String access = "";
    private String refresh = "";
    private boolean isIn;

    /** @param nodes where they listen */
    Caller(List<String> nodes, Promises promises, int number) {
        this.nodes = nodes;
        this.promises = promises;
        this.account = "user" + number;
        this.address = "203.0.113." + (number + 1);
        this.random = new Random(number);
    }

    @Override
    public void run() {
        if (!isIn) {
            login();
            return;
        }
        switch (random.nextInt(10)) {
            case 0 -> logout();
            case 1, 2 -> refresh();
            case 3, 4, 5 -> showEnded();
            default -> show();
        }
    }

    private void login() {
        Answer answer = send(node(), "/auth/token", "username=" + account + "&password=" + NodeProcess.PASSWORD, "");
        switch (answer.status()) {
            case 200 -> {
                promises.logins.incrementAndGet();
                access = Load.member("access_token", answer.body());
                refresh = Load.member("refresh_token", answer.body());
                isIn = true;
            }
            case UNKNOWN, TOO_MANY -> {}
            default -> promises.isBroken("A login was answered " + answer);
        }
    }

    private void show() {
        int status = send(node(), "/api/me", "", access).status();
        if (status == 200) {
            promises.accepted.incrementAndGet();
        } else if (status != UNKNOWN) {
            promises.isBroken("A good token was answered " + status);
        }
    }

    /** Repeats the refresh until the outcome is known; then perhaps once more, like a second tab. */
    private void refresh() {
        String used = refresh;
        long begun = System.nanoTime();
        String next = "";
        boolean isTwice = random.nextInt(4) == 0;
        while (next.isEmpty() || isTwice) {
            Answer answer = send(node(), "/auth/token", "refresh_token=" + used, "");
            boolean isLate = System.nanoTime() - begun >= RACE_WINDOW.toNanos();
            if (answer.status() == UNKNOWN && !isLate) {
                continue;
            }
            if (answer.status() != 200) {
                // After the window it looks like a thief's.
                isIn = false;
                if (!isLate) {
                    promises.isBroken("A refresh token that is good was answered " + answer);
                }
                return;
            }
            String told = Load.member("refresh_token", answer.body());
            if (next.isEmpty()) {
                next = told;
                access = Load.member("access_token", answer.body());
                promises.refreshes.incrementAndGet();
            } else {
                isTwice = false;
                promises.toldTwice.incrementAndGet();
                if (!told.equals(next)) {
                    promises.isBroken("A refresh token was good twice");
                }
            }
        }
        refresh = next;
    }

    private void logout() {
        int node = node();
        int status = send(node, "/auth/logout", "all=no", access).status();
        boolean isFirst = true;
        while (status == UNKNOWN) {
            isFirst = false;
            node = node();
            status = send(node, "/auth/logout", "all=no", access).status();
        }
        isIn = false;
        if (status == 204) {
            promises.ended.add(new Promises.Ended(access, refresh, node, System.nanoTime()));
        } else if (isFirst) {
            promises.isBroken("A logout was answered " + status);
        }
    }

    /** Anybody's tokens that a node has acknowledged to be worthless. */
    private void showEnded() {
        int size = promises.ended.size();
        if (size == 0) {
            return;
        }
        Promises.Ended one = promises.ended.get(random.nextInt(size));
        if (random.nextInt(3) == 0) {
            requireRefused(NO_REFRESH, send(node(), "/auth/token", "refresh_token=" + one.refresh(), ""), true);
            return;
        }
        int node = node();
        boolean mustKnow = node == one.author() || System.nanoTime() - one.toldAt() > STALE_AFTER.toNanos();
        requireRefused(NO_ACCESS, send(node, "/api/me", "", one.access()), mustKnow);
    }

    private void requireRefused(int refusal, Answer answer, boolean mustKnow) {
        if (answer.status() == refusal) {
            promises.refused.incrementAndGet();
        } else if (answer.status() == 200 && !mustKnow) {
            promises.notYetSeen.incrementAndGet();
        } else if (answer.status() != UNKNOWN) {
            promises.isBroken("A token was answered " + answer + " after its logout");
        }
    }

    /** Whether this node rejects the access token of this login. The node may be unable to decide for now. */
    boolean isRefused(int node, Promises.Ended one) {
        Answer answer = send(node, "/api/me", "", one.access());
        requireRefused(NO_ACCESS, answer, true);
        return answer.status() == NO_ACCESS;
    }

    private int node() {
        return random.nextInt(nodes.size());
    }

    /** Prints no body, because a body may have tokens. */
    private record Answer(int status, String body) {
        @Override
        public String toString() {
            return Integer.toString(status);
        }
    }

    /** No answer is as good as 503. */
    private Answer send(int node, String path, String form, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(nodes.get(node) + path))
                .timeout(HANGS)
                .header("X-Forwarded-For", address);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        long begun = System.nanoTime();
        Answer answer;
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            answer = new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            answer = new Answer(UNKNOWN, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer = new Answer(UNKNOWN, "");
        }
        long nanos = System.nanoTime() - begun;
        promises.longestNanos.accumulateAndGet(nanos, Math::max);
        if (answer.status() == UNKNOWN) {
            promises.outages.incrementAndGet();
        }
        if (nanos >= HANGS.toNanos()) {
            promises.isBroken("A call took " + Duration.ofNanos(nanos));
        }
        return answer;
    }
}
