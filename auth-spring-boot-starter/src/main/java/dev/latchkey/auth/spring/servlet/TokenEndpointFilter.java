package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.EndpointFailures;
import dev.latchkey.auth.spring.endpoint.EndpointRequest;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.ReadForm;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletAnswers;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Serves an endpoint before the chain's authorization rules, like Spring's own login filters. The path needs no permit rule, and
 * no rule of the service can block logins.
 */
final class TokenEndpointFilter extends OncePerRequestFilter {

    private static final byte[] NOTHING = {};

    private final AuthEndpoint endpoint;
    private final RequestContexts contexts;
    private final RequestMatcher matcher;

    /** A chain has several of these filters, so each filter needs its own marker of processed requests. */
    private final String seen;

    /** The name of the attribute with the answer to a body that cannot be read. */
    private final String unreadable;

    private final boolean leavesCookiesToAnother;
    private final @Nullable LoginCookies cookies;

    /** @param leavesCookiesToAnother whether another filter, behind the CSRF filter, answers requests for cookies */
    TokenEndpointFilter(AuthEndpoint endpoint, RequestContexts contexts, boolean leavesCookiesToAnother) {
        this(endpoint, contexts, leavesCookiesToAnother, null);
    }

    /** Only for requests that ask for cookies. */
    TokenEndpointFilter(AuthEndpoint endpoint, RequestContexts contexts, LoginCookies cookies) {
        this(endpoint, contexts, false, cookies);
    }

    private TokenEndpointFilter(
            AuthEndpoint endpoint,
            RequestContexts contexts,
            boolean leavesCookiesToAnother,
            @Nullable LoginCookies cookies) {
        this.endpoint = endpoint;
        this.contexts = contexts;
        this.leavesCookiesToAnother = leavesCookiesToAnother;
        this.cookies = cookies;
        this.matcher = PathPatternRequestMatcher.withDefaults().matcher(endpoint.path());
        this.seen = TokenEndpointFilter.class.getName() + ":" + endpoint.method() + endpoint.path()
                + (cookies == null ? "" : ":cookies");
        this.unreadable = seen + ":unreadable";
    }

    @Override
    protected String getAlreadyFilteredAttributeName() {
        return seen;
    }

    /** Tomcat ends the request with an error dispatch, and drops the answer, if the body cannot be read. */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            return !(request.getAttribute(unreadable) instanceof Answer);
        }
        if (!endpoint.serves(request.getMethod()) || !matcher.matches(request)) {
            return true;
        }
        boolean isForCookies = LoginCookies.areAskedBy(ServletHeaders.of(request));
        return cookies == null ? leavesCookiesToAnother && isForCookies : !isForCookies;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Answer answer = request.getAttribute(unreadable) instanceof Answer before ? before : answer(request);
        request.setAttribute(BasicAndOthers.ANSWERED, true);
        ServletAnswers.write(answer, response);
    }

    /**
     * The body, or the parameters as a form if the body is read already. The parameters of a servlet request also contain the
     * query, so the parameters replace a form only in a request without a query.
     */
    private static byte[] bodyOf(HttpServletRequest request, HeaderFields headers) throws IOException {
        byte[] body = request.getInputStream().readNBytes(EndpointRequest.MAX_BODY_BYTES + 1);
        if (body.length > 0 || request.getQueryString() != null || !ReadForm.isForm(headers)) {
            return body;
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> fields.put(name, List.of(values)));
        return ReadForm.bodyOf(fields);
    }

    private Answer answer(HttpServletRequest request) {
        HeaderFields headers = ServletHeaders.of(request);
        boolean isRead = endpoint.readsBody() && !EndpointRequest.announcesTooMuch(headers);
        byte[] body;
        try {
            body = isRead ? bodyOf(request, headers) : NOTHING;
        } catch (IOException e) {
            Answer answer = EndpointFailures.answerToBrokenBody(e, endpoint, requestOf(request, headers, NOTHING));
            request.setAttribute(unreadable, answer);
            return answer;
        }
        return answer(request, requestOf(request, headers, body));
    }

    private EndpointRequest requestOf(HttpServletRequest request, HeaderFields headers, byte[] body) {
        RequestContext context = contexts.of(headers, () -> ServletHeaders.addressOf(request));
        EndpointRequest plain =
                new EndpointRequest(context, matcher.matcher(request).getVariables(), request.getQueryString(), body);
        return cookies == null ? plain : plain.inCookies(cookies);
    }

    private Answer answer(HttpServletRequest request, EndpointRequest asked) {
        try {
            return endpoint.answer(asked);
        } catch (Throwable e) { // all exceptions of a store, also Kotlin's checked exceptions
            if (e instanceof AuthUnavailableException refusal) {
                ServletRefusals.mark(refusal, request);
            }
            return EndpointFailures.answerTo(e, endpoint, asked);
        }
    }
}
