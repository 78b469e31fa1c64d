package dev.latchkey.benchmarks.request;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtResult;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.VerifiedJwt;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authenticates a request by its token and does nothing else: no revocations, no plugins, no events, no answer of its own. What it costs is the least
 * that a check in a filter of Spring Security can cost, most of which is that the header field is read.
 */
final class AuthJwtFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    private final JwtVerifier verifier;

    AuthJwtFilter(byte[] key) {
        verifier = JwtVerifier.with(HmacKey.of(key));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header != null
                && header.startsWith(BEARER)
                && verifier.verify(header.substring(BEARER.length())) instanceof JwtResult.Verified verified) {
            authenticate(verified.jwt());
        }
        chain.doFilter(request, response);
    }

    private static void authenticate(VerifiedJwt jwt) {
        List<String> authorities = jwt.texts("authorities").orElse(List.of());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                jwt.subject().orElseThrow(), null, AuthorityUtils.createAuthorityList(authorities)));
        SecurityContextHolder.setContext(context);
    }
}
