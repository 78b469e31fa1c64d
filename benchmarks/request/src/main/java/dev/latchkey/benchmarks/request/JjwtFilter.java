package dev.latchkey.benchmarks.request;

import io.jsonwebtoken.Claims;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Authenticates a request by its token. At its best: the parser is made once and the token parsed once, and no account is looked up. */
final class JjwtFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";

    private final JwtParser parser;

    JjwtFilter(byte[] key) {
        parser = Jwts.parser().verifyWith(Keys.hmacShaKeyFor(key)).build();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header != null && header.startsWith(BEARER)) {
            try {
                authenticate(parser.parseSignedClaims(header.substring(BEARER.length()))
                        .getPayload());
            } catch (JwtException | IllegalArgumentException e) {
                SecurityContextHolder.clearContext();
            }
        }
        chain.doFilter(request, response);
    }

    private static void authenticate(Claims claims) {
        List<GrantedAuthority> authorities = new ArrayList<>();
        for (Object name : claims.get("authorities", List.class)) {
            authorities.add(new SimpleGrantedAuthority(String.valueOf(name)));
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(claims.getSubject(), null, authorities));
        SecurityContextHolder.setContext(context);
    }
}
