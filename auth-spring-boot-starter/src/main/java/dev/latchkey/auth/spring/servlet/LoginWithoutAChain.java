package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.web.FilterInvocation;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Warns if the login endpoints are enabled without a filter chain, or only in chains that do not get the requests to the token
 * endpoint: such requests would get 401, 404 or a login page without a reason.
 */
final class LoginWithoutAChain implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(LoginWithoutAChain.class);

    private final ObjectProvider<SecurityFilterChain> chains;
    private final LatchkeyProperties.Login settings;
    private final @Nullable ServletContext servletContext;

    LoginWithoutAChain(
            ObjectProvider<SecurityFilterChain> chains,
            LatchkeyProperties.Login settings,
            @Nullable ServletContext servletContext) {
        this.chains = chains;
        this.settings = settings;
        this.servletContext = servletContext;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<SecurityFilterChain> inOrder = chains.orderedStream().toList();
        if (inOrder.stream().noneMatch(LoginWithoutAChain::hasEndpoints)) {
            LOG.warn("latchkey.login.enabled is true, and no filter chain has the login endpoints; write"
                    + " http.with(LatchkeyHttpConfigurer.latchkey(), Customizer.withDefaults()) in the SecurityFilterChain bean"
                    + " that is to have them");
            return;
        }
        List<String> paths = Stream.of(settings.basePath() + "/token", settings.path())
                .filter(Objects::nonNull)
                .toList();
        if (paths.stream().noneMatch(path -> mayReachEndpoints(inOrder, path))) {
            LOG.warn(
                    "latchkey.login.enabled is true, and no filter chain with the login endpoints gets POST {}: the first chain that"
                            + " matches this path is another one, or none does. Add the path to the securityMatcher of the chain that"
                            + " is to have the endpoints, or write http.with(LatchkeyHttpConfigurer.latchkey(),"
                            + " Customizer.withDefaults()) in the chain that matches the path",
                    String.join(" or ", paths));
        }
    }

    private static boolean hasEndpoints(SecurityFilterChain chain) {
        return chain.getFilters().stream().anyMatch(TokenEndpointFilter.class::isInstance);
    }

    /** True also if a matcher reads more than the path: only a real request could show the result. */
    private boolean mayReachEndpoints(List<SecurityFilterChain> inOrder, String path) {
        HttpServletRequest login = new PathOnly(path, servletContext);
        try {
            return inOrder.stream()
                    .filter(chain -> chain.matches(login))
                    .findFirst()
                    .map(LoginWithoutAChain::hasEndpoints)
                    .orElse(false);
        } catch (RuntimeException e) {
            return true;
        }
    }

    /** A request with a path, a method and attributes. Calls for header fields, parameters or the server name fail. */
    private static final class PathOnly extends HttpServletRequestWrapper {

        private final Map<String, Object> attributes = new HashMap<>();

        /**
         * Wraps Spring Security's request for path matching. The wrapped request has no header fields and keeps no attributes.
         */
        PathOnly(String path, @Nullable ServletContext servletContext) {
            super(new FilterInvocation("", path, "POST", servletContext).getRequest());
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return attributes.get(name);
        }

        @Override
        public void setAttribute(String name, Object value) {
            attributes.put(name, value);
        }

        @Override
        public void removeAttribute(String name) {
            attributes.remove(name);
        }

        @Override
        public String getHeader(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getParameter(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public String[] getParameterValues(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getServerName() {
            throw new UnsupportedOperationException();
        }
    }
}
